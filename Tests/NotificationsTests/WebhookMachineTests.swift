import Contracts
import Domain
import Testing

@testable import Notifications

@Suite struct `a webhook` {
    private static let now = Timestamp(milliseconds: 1_000)
    private static let later = Timestamp(milliseconds: 5_000)
    private static let states: [Webhook.State] = [.queued, .due(now), .delivered(now)]
    private static let events: [Webhook.Event] = [.unblocked, .reached, .failed(random: 0)]

    /// The table of the doc comment; nil for a refusal.
    private static func expected(_ from: Webhook.State, _ event: Webhook.Event) -> Webhook.State? {
        switch (from, event) {
        case (.queued, .unblocked): .due(later)
        case (.queued, .reached), (.queued, .failed): nil
        case (.due, .unblocked): .due(now)
        case (.due, .reached): .delivered(later)
        case (.due, .failed): .due(later.advanced(by: 750))
        case (.delivered, _): .delivered(now)
        }
    }

    @Test(arguments: states, events)
    func `moves as its table says, and a refused event leaves no trace`(
        from: Webhook.State,
        event: Webhook.Event
    ) {
        var webhook = Webhook(state: from)
        do {
            let directives = try webhook.apply(event, now: Self.later)
            #expect(webhook.state == Self.expected(from, event))
            let isDelivered = from != webhook.state && webhook.deliveredAt != nil
            #expect(directives.contains(.unblockNext) == isDelivered)
            #expect(directives.contains(.save) == (webhook != Webhook(state: from)))
        } catch {
            #expect(Self.expected(from, event) == nil)
            #expect(webhook == Webhook(state: from))
        }
    }

    @Test(arguments: states, [Webhook.Event.unblocked, .reached])
    func `hears an event twice as if it were once`(from: Webhook.State, event: Webhook.Event) throws {
        var webhook = Webhook(state: from)
        do { _ = try webhook.apply(event, now: Self.later) } catch { return }
        let once = webhook
        #expect(try webhook.apply(event, now: Self.later.advanced(by: 9)) == [])
        #expect(webhook == once)
    }

    @Test(arguments: [0, 1, 0xFFFF_FFFF, UInt64.max])
    func `is tried again after ever longer pauses, up to an hour, for ever`(random: UInt64) {
        var last: Int64 = 0
        for attempt in 1...10_000 {
            let delay = Webhook.backoff.pause(after: attempt, random: random)
            let full = attempt > 12 ? 3_600_000 : Int64(1_000) << Int64(attempt - 1)
            #expect(delay <= full && delay >= full * 3 / 4)
            if attempt <= 12 { #expect(delay > last) }
            last = delay
        }
    }

    @Test(arguments: [
        (200, true), (204, true), (299, true), (199, false), (300, false), (410, false), (500, false),
    ])
    func `is delivered by 2xx alone`(status: Int, delivered: Bool) {
        #expect((Webhook.Event(status: status, random: 1) == .reached) == delivered)
        #expect(Webhook.Event(status: nil, random: 1) == .failed(random: 1))
    }
}
