import Testing

@testable import CounterfoilClient

/// One proof's machine against the table of its documentation.
@Suite struct `A proof's delivery` {
    typealias Event = ProofDelivery.Event

    /// A delivery in a phase, and a turn that is not its own.
    static func delivery(in phase: ProofDelivery.Phase) -> ProofDelivery {
        var delivery = ProofDelivery(.sample(), isKept: false)
        func apply(_ event: Event) { _ = delivery.apply(event, caller: "ada", chance: 0) }
        if phase == .unkept { return delivery }
        apply(.wake)
        if phase == .keeping { return delivery }
        apply(.kept(turn: delivery.turn, isDurable: true))
        switch phase {
        case .waiting: apply(.answered(turn: delivery.turn, .lost))
        case .held: apply(.answered(turn: delivery.turn, .busy))
        case .finishing: apply(.answered(turn: delivery.turn, .granted))
        case .gone:
            apply(.answered(turn: delivery.turn, .granted))
            apply(.finished(turn: delivery.turn))
        case .keeping, .unkept, .sending: break
        }
        return delivery
    }

    static func event(_ column: String, turn: Int) throws -> Event {
        switch column {
        case "same": .seen(.sample())
        case "newer": .seen(.sample(text: "newer"))
        case "kept": .kept(turn: turn, isDurable: true)
        case "notKept": .kept(turn: turn, isDurable: false)
        case "finish": .answered(turn: turn, .granted)
        case "unfinished": .answered(turn: turn, .pending)
        case "retryAfter": .answered(turn: turn, .busy)
        case "due": .due(turn: turn)
        case "wake": .wake
        case "finished": .finished(turn: turn)
        case _: throw UnknownColumn(name: column)
        }
    }

    struct UnknownColumn: Error { let name: String }

    @Test func `Every phase and event does what the table says`() throws {
        let table = try Table(of: "ProofDelivery.swift")
        #expect(table.cells.count == 60)
        for cell in table.cells {
            let phase = try #require(ProofDelivery.Phase(rawValue: cell.row))
            var delivery = Self.delivery(in: phase)
            #expect(delivery.phase == phase)
            let event = try Self.event(cell.column, turn: delivery.turn)
            var words = delivery.apply(event, caller: "ada", chance: 0).map(\.word)
            if delivery.latest != delivery.proof { words.append("note") }
            #expect(
                Table.text(words, from: phase.rawValue, to: delivery.phase.rawValue) == cell.text,
                "\(cell)"
            )
        }
    }

    @Test(arguments: ProofDelivery.Phase.allCases)
    func `The answer to an older effect changes nothing`(phase: ProofDelivery.Phase) throws {
        for column in ["kept", "notKept", "finish", "unfinished", "retryAfter", "due", "finished"] {
            var delivery = Self.delivery(in: phase)
            let before = delivery
            let event = try Self.event(column, turn: delivery.turn - 1)
            #expect(delivery.apply(event, caller: "ada", chance: 0).isEmpty)
            #expect(delivery == before, "\(column)")
        }
    }

    @Test(arguments: ProofDelivery.Phase.allCases)
    func `With nobody logged in nothing is sent`(phase: ProofDelivery.Phase) throws {
        for column in ["same", "newer", "kept", "due", "wake"] {
            var delivery = Self.delivery(in: phase)
            let event = try Self.event(column, turn: delivery.turn)
            let words = delivery.apply(event, caller: nil, chance: 0).map(\.word)
            #expect(!words.contains("send"), "\(column)")
        }
    }

    @Test func `A newer proof is sent in place of the older one, once that one is answered`() {
        var delivery = Self.delivery(in: .sending)
        let newer = Proof.sample(text: "newer")
        #expect(delivery.apply(.seen(newer), caller: "ada", chance: 0).isEmpty)
        let answer = Event.answered(turn: delivery.turn, .granted)
        #expect(delivery.apply(answer, caller: "ada", chance: 0) == [.keep(newer)])
        let kept = Event.kept(turn: delivery.turn, isDurable: true)
        let submission = Submission(proof: newer, caller: "ada", receiptID: nil)
        #expect(delivery.apply(kept, caller: "ada", chance: 0) == [.send(submission)])
    }

    @Test func `After a 202 the receipt is asked about, and one that is not found is sent again`() {
        var delivery = Self.delivery(in: .sending)
        func sent(after answer: DeliveryAnswer) -> String? {
            _ = delivery.apply(.answered(turn: delivery.turn, answer), caller: "ada", chance: 0)
            guard case .send(let submission)? = delivery.apply(.wake, caller: "ada", chance: 0).first else {
                return "nothing"
            }
            return submission.receiptID
        }
        #expect(sent(after: .pending) == "r1")
        #expect(sent(after: .lost) == "r1")
        #expect(sent(after: DeliveryAnswer(status: 404)) == nil)
    }

    @Test func `Pauses double up to five minutes and never end`() {
        var delivery = Self.delivery(in: .sending)
        var pauses: [Int64] = []
        for _ in 0..<40 {
            let effects = delivery.apply(.answered(turn: delivery.turn, .lost), caller: "ada", chance: 0)
            guard case .wait(let milliseconds)? = effects.last else {
                Issue.record("it gave up")
                return
            }
            pauses.append(milliseconds)
            _ = delivery.apply(.due(turn: delivery.turn), caller: "ada", chance: 0)
        }
        #expect(pauses.prefix(4) == [1_000, 2_000, 4_000, 8_000])
        #expect(pauses.last == 300_000)
    }

    @Test(arguments: [0, 0.5, 1])
    func `What Retry-After asks for is the least that is waited`(chance: Double) {
        var delivery = Self.delivery(in: .sending)
        let effects = delivery.apply(.answered(turn: delivery.turn, .busy), caller: "ada", chance: chance)
        guard case .wait(let milliseconds)? = effects.last else {
            Issue.record("it does not wait")
            return
        }
        #expect((60_000...66_000).contains(milliseconds))
    }

    static let pauses: [(Int64, [Int64])] = [
        (0, [1_000, 2_000, 4_000, 8_000]), (1, [1_000, 2_000, 4_000, 8_000]),
        (7_200_000, Array(repeating: 7_200_000, count: 4)),
        (86_400_000, Array(repeating: 86_400_000, count: 4)),
        (99_999_999_999_999, Array(repeating: 86_400_000, count: 4)),
    ]

    @Test(arguments: pauses)
    func `A pause that a server asks for is obeyed up to a day, and none is none`(
        asked: Int64,
        expected: [Int64]
    ) {
        var delivery = Self.delivery(in: .sending)
        let busy = DeliveryAnswer(status: 503, retryAfter: asked)
        var pauses: [Int64] = []
        for _ in 0..<4 {
            let effects = delivery.apply(.answered(turn: delivery.turn, busy), caller: "ada", chance: 0)
            if case .wait(let milliseconds)? = effects.last { pauses.append(milliseconds) }
            _ = delivery.apply(.due(turn: delivery.turn), caller: "ada", chance: 0)
        }
        #expect(pauses == expected)
    }

    @Test func `What the store refuses is sent, and is kept before it is finished`() {
        var delivery = Self.delivery(in: .keeping)
        func words(_ event: Event) -> [String] {
            delivery.apply(event, caller: "ada", chance: 0).map(\.word)
        }
        #expect(words(.kept(turn: delivery.turn, isDurable: false)) == ["send"])
        #expect(words(.answered(turn: delivery.turn, .granted)) == ["wait"])
        #expect(words(.wake) == ["keep"])
        #expect(words(.kept(turn: delivery.turn, isDurable: false)) == ["send"])
        #expect(words(.answered(turn: delivery.turn, .busy)) == ["wait"])
        #expect(words(.due(turn: delivery.turn)) == ["keep"])
        #expect(words(.kept(turn: delivery.turn, isDurable: true)) == ["send"])
        #expect(words(.answered(turn: delivery.turn, .granted)) == ["finish"])
    }

    @Test func `A receipt that another login does not find shows no problem`() {
        var delivery = Self.delivery(in: .sending)
        for answer in [DeliveryAnswer.pending, DeliveryAnswer(status: 404, code: "notFound")] {
            _ = delivery.apply(.answered(turn: delivery.turn, answer), caller: "ada", chance: 0)
            _ = delivery.apply(.wake, caller: "ada", chance: 0)
        }
        #expect(delivery.lastAnswer?.problem == nil)
    }

    @Test func `An empty receipt is asked for anew`() {
        var delivery = Self.delivery(in: .sending)
        let answer = DeliveryAnswer.verdict("pending", finish: false, status: 202, reason: "emptyReceipt")
        let effects = delivery.apply(.answered(turn: delivery.turn, answer), caller: "ada", chance: 0)
        #expect(effects.map(\.word) == ["refresh", "wait"])
    }

    @Test(arguments: [
        DeliveryAnswer.lost, .busy, .pending, .verdict("parked", finish: false),
        .verdict("granted", finish: true, status: 201), .verdict("granted", finish: true, status: 202),
        DeliveryAnswer(status: 200), DeliveryAnswer(status: 400), DeliveryAnswer(status: 401),
        DeliveryAnswer(status: 403), DeliveryAnswer(status: 404), DeliveryAnswer(status: 409),
        DeliveryAnswer(status: 413), DeliveryAnswer(status: 429), DeliveryAnswer(status: 500),
    ])
    func `Nothing finishes but finish true in a 200`(answer: DeliveryAnswer) {
        var delivery = Self.delivery(in: .sending)
        let words = delivery.apply(.answered(turn: delivery.turn, answer), caller: "ada", chance: 0).map(
            \.word
        )
        #expect(words == ["wait"])
    }
}
