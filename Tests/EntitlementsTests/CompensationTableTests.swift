import Contracts
import Domain
import TestKit
import Testing

@testable import Entitlements

/// The table of `Compensation`, every state with every event.
@Suite struct `A compensation` {
    static let lin = OperatorID(unchecked: "o000000000001")
    static let mei = OperatorID(unchecked: "o000000000002")
    static let start = Timestamp(milliseconds: 1_760_000_000_000)

    enum Origin: CaseIterable {
        case proposed, granted, reversed, matched, void
    }

    enum Step: CaseIterable {
        case ownConfirm, confirm, reverse, earlyProof, lateProof
    }

    static func compensation(_ basis: CompensationBasis = .init(kind: .goodwill)) -> Compensation {
        let id = ProposalID(.compensation, shard: Shard(rawValue: 7), digest: Array(0..<14))
        let request = CompensationProposeV1(
            proposalId: id,
            bundleId: .game,
            buyerId: .ada,
            environment: .production,
            productId: .coins,
            quantity: 1,
            basis: basis,
            reason: "ticket 4711",
            operatorId: lin
        )
        return Compensation(CompensationV1(request, at: start))
    }

    private static func reached(_ origin: Origin) throws -> Compensation {
        var made = compensation()
        if origin == .granted || origin == .reversed || origin == .matched {
            _ = try made.apply(.confirm(by: mei), at: start.advanced(by: 10))
        }
        let proof = Compensation.Event.proof(PurchaseID(unchecked: "1000"), boughtAt: start)
        switch origin {
        case .proposed, .granted: break
        case .reversed, .void: _ = try made.apply(.reverse, at: start.advanced(by: 20))
        case .matched: _ = try made.apply(proof, at: start.advanced(by: 20))
        }
        return made
    }

    /// The last time that counts as before the confirmation.
    private static let latest = start.advanced(by: 10 + Limits.clockToleranceMilliseconds)

    private static func event(_ step: Step) -> Compensation.Event {
        let purchase = PurchaseID(unchecked: "1000")
        return switch step {
        case .ownConfirm: .confirm(by: lin)
        case .confirm: .confirm(by: mei)
        case .reverse: .reverse
        case .earlyProof: .proof(purchase, boughtAt: latest)
        case .lateProof: .proof(purchase, boughtAt: latest.advanced(by: 1))
        }
    }

    private static let table: [Origin: [Step: (CompensationV1.State, Compensation.Effect)?]] = [
        .proposed: [
            .ownConfirm: .none, .confirm: (.granted, .gives), .reverse: (.void, .noted),
            .earlyProof: (.void, .noted), .lateProof: (.void, .noted),
        ],
        .granted: [
            .ownConfirm: .none, .confirm: (.granted, .nothing), .reverse: (.reversed, .takesBack),
            .earlyProof: (.matched, .takesBack), .lateProof: (.granted, .nothing),
        ],
        .reversed: [
            .ownConfirm: .none, .confirm: .none, .reverse: (.reversed, .nothing),
            .earlyProof: (.reversed, .nothing), .lateProof: (.reversed, .nothing),
        ],
        .matched: [
            .ownConfirm: .none, .confirm: .none, .reverse: (.matched, .nothing),
            .earlyProof: (.matched, .nothing), .lateProof: (.matched, .nothing),
        ],
        .void: [
            .ownConfirm: .none, .confirm: .none, .reverse: (.void, .nothing),
            .earlyProof: (.void, .nothing), .lateProof: (.void, .nothing),
        ],
    ]

    @Test(arguments: Origin.allCases, Step.allCases)
    func `goes where its table says, and a refusal leaves no trace`(
        origin: Origin,
        step: Step
    ) throws {
        var made = try Self.reached(origin)
        let before = made
        let event = Self.event(step)
        let now = Self.start.advanced(by: 30)
        let wanted = try #require(Self.table[origin]?[step])
        guard let wanted else {
            #expect(throws: RequestRefusal.self) { try made.apply(event, at: now) }
            #expect(made == before)
            return
        }
        #expect(try made.apply(event, at: now) == wanted.1)
        #expect(made.content.state == wanted.0)
        if wanted.1 == .nothing { #expect(made == before) }
    }

    @Test(arguments: Step.allCases)
    func `does nothing more when an event comes twice`(step: Step) throws {
        for origin in Origin.allCases {
            var made = try Self.reached(origin)
            guard Self.table[origin]?[step].flatMap(\.self) != nil else { continue }
            _ = try made.apply(Self.event(step), at: Self.start.advanced(by: 30))
            let before = made
            #expect(try made.apply(Self.event(step), at: Self.start.advanced(by: 40)) == .nothing)
            #expect(made == before)
        }
    }

    @Test func `can be confirmed for seven days and not a millisecond longer`() throws {
        var made = Self.compensation()
        let last = Self.start.advanced(by: Approval.validMilliseconds)
        #expect(made.answer(at: last).state == .proposed)
        #expect(made.answer(at: last.advanced(by: 1)).state == .void)
        #expect(throws: RequestRefusal.expiredProposal) {
            try made.apply(.confirm(by: Self.mei), at: last.advanced(by: 1))
        }
        #expect(try made.apply(.confirm(by: Self.mei), at: last) == .gives)
    }

    @Test func `keeps others from its order until it has ended`() throws {
        #expect(try Self.reached(.proposed).stands(at: Self.start))
        #expect(try Self.reached(.granted).stands(at: Self.start.advanced(by: .max / 2 - 1_760_000_000_000)))
        #expect(try !Self.reached(.reversed).stands(at: Self.start))
        let week = Self.start.advanced(by: Approval.validMilliseconds + 1)
        #expect(try !Self.reached(.proposed).stands(at: week))
    }

    @Test func `counts what an operator does on a day, once each, up to the limit`() throws {
        #expect(try OperatorDay.count(4, isRepeated: false, limit: 5) == 5)
        #expect(try OperatorDay.count(5, isRepeated: true, limit: 5) == 5)
        #expect(throws: RequestRefusal.dailyLimit(5)) {
            try OperatorDay.count(5, isRepeated: false, limit: 5)
        }
        let midnight = Timestamp(milliseconds: 86_400_000)
        #expect(OperatorDay.day(of: midnight) == 1 && OperatorDay.day(of: midnight.advanced(by: -1)) == 0)
    }
}
