import Testing

@testable import Delivery

@Suite struct `an owner's lease` {
    struct Case: Sendable {
        let events: [OwnerLease.Event]
        let held: [Int64]
        let notHeld: [Int64]
    }

    static let cases = [
        Case(events: [], held: [], notHeld: [0, 1_999]),
        Case(events: [.unknown], held: [], notHeld: [0]),
        Case(events: [.acknowledged(sentAt: 1_000)], held: [1_000, 2_999], notHeld: [3_000, 9_000]),
        Case(events: [.acknowledged(sentAt: 1_000), .unknown], held: [2_999], notHeld: [3_000]),
        Case(
            events: [.acknowledged(sentAt: 1_000), .acknowledged(sentAt: 2_000)],
            held: [3_999],
            notHeld: [4_000]
        ),
        Case(
            events: [.acknowledged(sentAt: 2_000), .acknowledged(sentAt: 1_000)],
            held: [3_999],
            notHeld: [4_000]
        ),
        Case(events: [.acknowledged(sentAt: 1_000), .lost], held: [], notHeld: [1_000]),
        Case(
            events: [.lost, .acknowledged(sentAt: 1_000), .unknown],
            held: [],
            notHeld: [1_000, 2_000]
        ),
    ]

    @Test(arguments: cases) func `runs from when a renewal was sent`(of: Case) {
        var lease = OwnerLease()
        for event in of.events { lease.apply(event) }
        for uptime in of.held { #expect(lease.isValid(at: uptime)) }
        for uptime in of.notHeld { #expect(!lease.isValid(at: uptime)) }
    }

    @Test func `ends before anybody claims`() {
        #expect(OwnerLease.milliseconds < OwnerLease.silenceMilliseconds)
    }
}

@Suite struct `a watcher of a partition` {
    private static func sign(_ counter: Int64, epoch: Int64 = 4, _ holder: OwnerSign.Holder) -> OwnerSign {
        OwnerSign(epoch: epoch, counter: counter, holder: holder)
    }

    @Test(arguments: [OwnerSign.Holder.nobody, .here])
    func `claims at once what nobody has, or a process of this host had`(holder: OwnerSign.Holder) {
        var watch = OwnerWatch()
        let lapse = watch.lapse(Self.sign(7, holder), at: 100)
        #expect(lapse == .init(epoch: 4, counter: 7, isGone: true))
        #expect(lapse?.mayLease(firstCounter: 12) == false)
    }

    @Test func `claims another host's after 3 s without a change, by its own clock`() {
        var watch = OwnerWatch()
        #expect(watch.lapse(Self.sign(7, .elsewhere), at: 10_000) == nil)
        #expect(watch.lapse(Self.sign(7, .elsewhere), at: 12_999) == nil)
        #expect(
            watch.lapse(Self.sign(7, .elsewhere), at: 13_000) == .init(epoch: 4, counter: 7, isGone: false)
        )
    }

    @Test(arguments: [sign(8, .elsewhere), sign(7, epoch: 5, .elsewhere), sign(6, .elsewhere)])
    func `begins to wait anew at each change`(change: OwnerSign) {
        var watch = OwnerWatch()
        #expect(watch.lapse(Self.sign(7, .elsewhere), at: 0) == nil)
        #expect(watch.lapse(change, at: 2_999) == nil)
        #expect(watch.lapse(change, at: 5_998) == nil)
        #expect(watch.lapse(change, at: 5_999) != nil)
    }

    @Test func `knows by the first counter after its claim whether a lease may still run`() {
        let lapse = OwnerWatch.Lapse(epoch: 4, counter: 7, isGone: false)
        #expect(!lapse.mayLease(firstCounter: 8))
        #expect(lapse.mayLease(firstCounter: 9))
        #expect(lapse.mayLease(firstCounter: 1), "PostgreSQL has lost renewals")
    }

    @Test func `takes who has claimed and not renewed yet for another host's`() {
        #expect(OwnerSign(epoch: 0, renewal: nil).holder == .nobody)
        #expect(OwnerSign(epoch: 1, renewal: nil).holder == .elsewhere)
        #expect(OwnerSign(epoch: 3, renewal: (3, 9, .here)).holder == .here)
        #expect(OwnerSign(epoch: 4, renewal: (3, 9, .here)).holder == .elsewhere)
        #expect(OwnerSign(epoch: 4, renewal: (3, 9, .nobody)) == Self.sign(9, .elsewhere))
    }
}
