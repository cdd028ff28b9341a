import Contracts
import Testing

@testable import Receipts

@Suite struct `a consumption request` {
    private static let hour: Int64 = 3_600_000

    /// A state and how one gets there.
    enum State: String, CaseIterable {
        case waiting, asked, answering, expired

        /// When the next event comes.
        var later: Timestamp { Sample.start.advanced(by: self == .expired ? 12 * hour : hour) }

        func request() throws -> ConsumptionRequest {
            let facts = try #require(TransactionFacts(Sample.transaction("1")))
            var request = ConsumptionRequest(
                about: facts.transactionId,
                facts,
                askedAt: Sample.start
            )
            let events: [(ConsumptionRequest.Event, Int64)] =
                switch self {
                case .waiting: []
                case .asked: [(.due(holder: Sample.alice), 0)]
                case .answering: [(.reported(report()), 0)]
                case .expired: [(.reported(report()), 0), (.due(holder: nil), 12 * hour)]
                }
            for (event, time) in events {
                _ = request.apply(event, now: Sample.start.advanced(by: time), random: 0)
            }
            return request
        }
    }

    /// An event, an hour after the question.
    enum Event: String, CaseIterable {
        case unheld, held, comesToBeHeld, refusedByBuyer, agreed, told, refusedByApple, unanswered

        var event: ConsumptionRequest.Event {
            switch self {
            case .unheld: .due(holder: nil)
            case .held: .due(holder: Sample.alice)
            case .comesToBeHeld: .held
            case .refusedByBuyer: .reported(report(isConsented: false))
            case .agreed: .reported(report())
            case .told: result(.found())
            case .refusedByApple: result(.refused(.unverified))
            case .unanswered: result(AppleJobResult(.unavailable))
            }
        }
    }

    private static func result(_ result: AppleJobResult) -> ConsumptionRequest.Event {
        .told(result, askedAt: Sample.start)
    }

    private static func report(isConsented: Bool = true, at time: Int64 = 0) -> ConsumptionRequest.Report {
        ConsumptionRequest.Report(
            isConsented: isConsented,
            isDelivered: true,
            consumed: 30_000,
            reportedAt: Sample.start.advanced(by: time)
        )
    }

    private static func name(_ state: ConsumptionRequest.State) -> State {
        switch state {
        case .waiting: .waiting
        case .asked: .asked
        case .answering: .answering
        case .expired: .expired
        }
    }

    /// The state after an event; nil where the request is over.
    private static func expected(_ state: State, _ event: Event) -> State? {
        switch (state, event) {
        case (_, .told), (_, .refusedByApple): nil
        case (.expired, _): .expired
        case (_, .unheld), (_, .refusedByBuyer): .waiting
        case (_, .held): .asked
        case (_, .agreed): .answering
        case (.answering, .unanswered): .waiting
        case (_, .unanswered), (_, .comesToBeHeld): state
        }
    }

    @Test(arguments: State.allCases, Event.allCases)
    func `moves as its table says`(state: State, event: Event) throws {
        var request = try state.request()
        #expect(Self.name(request.state) == state)
        let directives = request.apply(event.event, now: state.later, random: 0)
        let next = Self.expected(state, event)
        #expect(directives.contains(.remove) == (next == nil))
        if let next { #expect(Self.name(request.state) == next) }
        #expect(directives.contains(.askLedger(Sample.alice)) == (event == .held && state != .expired))
    }

    @Test(arguments: State.allCases, Event.allCases)
    func `hears an event twice as if it were once`(state: State, event: Event) throws {
        var request = try state.request()
        let now = state.later
        _ = request.apply(event.event, now: now, random: 0)
        let once = request.state
        _ = request.apply(event.event, now: now, random: 0)
        #expect(request.state == once)
    }

    @Test func `tells Apple only what the ledger said seconds ago`() throws {
        let request = try State.answering.request()
        #expect(request.report(at: Sample.start) == Self.report())
        let last = ConsumptionRequest.reportMilliseconds
        #expect(last <= 10_000)
        #expect(request.report(at: Sample.start.advanced(by: last - 1)) != nil)
        #expect(request.report(at: Sample.start.advanced(by: last)) == nil)
        #expect(try State.waiting.request().report(at: Sample.start) == nil)
        #expect(try State.asked.request().report(at: Sample.start) == nil)
    }

    @Test func `asks the ledger again before each further try`() throws {
        var request = try State.answering.request()
        let failed = Sample.start.advanced(by: 100)
        #expect(request.apply(Self.result(AppleJobResult(.unavailable)), now: failed, random: 0) == [.save])
        let again = try #require(request.dueAt)
        #expect(again < failed.advanced(by: 2_000), "soon, as Apple may be back")
        #expect(request.report(at: again) == nil)
        let due = request.apply(.due(holder: Sample.alice), now: again, random: 0)
        #expect(due == [.askLedger(Sample.alice), .save])
    }

    @Test(arguments: State.allCases, [Event.told, .refusedByApple, .unanswered])
    func `is not ended by the answer to an older question`(state: State, event: Event) throws {
        var request = try state.request()
        guard case .told(let result, _) = event.event else { return }
        let before = request
        let older = ConsumptionRequest.Event.told(result, askedAt: Sample.start.advanced(by: -1))
        #expect(request.apply(older, now: Sample.start, random: 0).isEmpty)
        #expect(request == before)
    }

    @Test func `asks hourly without consent, without alarm, and is over after 12 hours`() throws {
        var request = try State.waiting.request()
        var now = Sample.start
        var asked = 0
        while !request.isOver(at: now) {
            let directives = request.apply(.due(holder: Sample.alice), now: now, random: 0)
            #expect(directives == [.askLedger(Sample.alice), .save])
            asked += 1
            let report = ConsumptionRequest.Report(isConsented: false, isDelivered: false, reportedAt: now)
            #expect(request.apply(.reported(report), now: now, random: 0) == [.save])
            now = try #require(request.dueAt)
        }
        #expect(asked == 12 && now == Sample.start.advanced(by: 12 * Self.hour))
        #expect(request.apply(.due(holder: Sample.alice), now: now, random: 0) == [.remove])
    }

    @Test func `with consent alarms once after 6 hours, and once when it expires`() throws {
        var request = try State.answering.request()
        #expect(request.dueAt == Sample.start)
        let late = Sample.start.advanced(by: 6 * Self.hour)
        let early = late.advanced(by: -1)
        #expect(request.apply(Self.result(AppleJobResult(.unavailable)), now: early, random: 0) == [.save])
        #expect(request.dueAt == late, "it is looked at again when the alarm is due")
        func alarms(_ now: Timestamp) -> Int {
            request.apply(Self.result(AppleJobResult(.unavailable)), now: now, random: 0).count {
                if case .alarm = $0 { true } else { false }
            }
        }
        #expect(alarms(late) == 1)
        #expect(alarms(late.advanced(by: Self.hour)) == 0)
        #expect(alarms(Sample.start.advanced(by: 12 * Self.hour)) == 1)
        #expect(request.state == .expired && request.dueAt == nil)
        let after = late.advanced(by: 7 * Self.hour)
        #expect(request.apply(Self.result(.found()), now: after, random: 0) == [.remove])
    }

    @Test func `that Apple refuses is an alarm with Apple's code, and over`() throws {
        var request = try State.answering.request()
        var refused = AppleJobResult.refused(.unverified)
        refused.problem = "4000047"
        let directives = request.apply(Self.result(refused), now: Sample.start, random: 0)
        guard case .alarm(let text)? = directives.first else {
            Issue.record("no alarm")
            return
        }
        #expect(text.contains("4000047") && directives.last == .remove)
    }
}
