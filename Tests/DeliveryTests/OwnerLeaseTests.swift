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
    private static func sign(
        _ counter: Int64,
        epoch: Int64 = 4,
        position: Int64 = 9,
        _ holder: OwnerSign.Holder
    ) -> OwnerSign {
        OwnerSign(position: position, epoch: epoch, counter: counter, holder: holder)
    }

    private static func claim(epoch: Int64 = 4, isGone: Bool) -> OwnerWatch.Judgement {
        .claim(.init(epoch: epoch, counter: 7, isGone: isGone))
    }

    /// What it says to a sign that stays for so long.
    private static func judge(
        _ sign: OwnerSign,
        for milliseconds: ClosedRange<Int64>,
        by watch: inout OwnerWatch
    ) -> OwnerWatch.Judgement {
        var said = OwnerWatch.Judgement.wait
        for uptime in stride(from: milliseconds.lowerBound, through: milliseconds.upperBound, by: 250) {
            said = watch.judge(sign, at: uptime)
        }
        return said
    }

    @Test(arguments: [OwnerSign.Holder.nobody, .here])
    func `claims at once what nobody has, or a process of this host had`(holder: OwnerSign.Holder) {
        var watch = OwnerWatch()
        #expect(watch.judge(Self.sign(7, holder), at: 100) == Self.claim(isGone: true))
        let lapse = OwnerWatch.Lapse(epoch: 4, counter: 7, isGone: true)
        #expect(!lapse.mayLease(firstCounter: 12))
    }

    @Test func `claims another host's after 3 s without a change, by its own clock`() {
        var watch = OwnerWatch()
        let sign = Self.sign(7, .elsewhere)
        #expect(Self.judge(sign, for: 10_000...12_750, by: &watch) == .wait)
        #expect(watch.judge(sign, at: 12_999) == .wait)
        #expect(watch.judge(sign, at: 13_000) == Self.claim(isGone: false))
    }

    @Test(arguments: [
        sign(8, .elsewhere), sign(7, epoch: 5, .elsewhere), sign(6, .elsewhere),
        sign(7, position: 10, .elsewhere),
    ])
    func `begins to wait anew at each change`(change: OwnerSign) {
        var watch = OwnerWatch()
        #expect(Self.judge(Self.sign(7, .elsewhere), for: 0...2_750, by: &watch) == .wait)
        #expect(Self.judge(change, for: 2_999...5_998, by: &watch) == .wait)
        #expect(watch.judge(change, at: 5_999) != .wait)
    }

    @Test func `begins to wait anew when nobody has answered`() {
        var (asked, silent) = (OwnerWatch(), OwnerWatch())
        let sign = Self.sign(7, .elsewhere)
        #expect(Self.judge(sign, for: 0...2_750, by: &asked) == .wait)
        asked.interrupt()
        #expect(Self.judge(sign, for: 3_000...5_750, by: &asked) == .wait)
        #expect(asked.judge(sign, at: 6_000) != .wait)
        #expect(silent.judge(sign, at: 0) == .wait)
        #expect(silent.judge(sign, at: 60_000) == .wait, "the owner could raise nothing, either")
    }

    /// The owner may have renewed until the first answer was there, and since the last question.
    @Test func `takes no silence for longer than it was where the log answers slowly`() {
        var watch = OwnerWatch()
        func judge(_ began: Int64, _ ended: Int64) -> OwnerWatch.Judgement {
            watch.judge(OwnerReading(Self.sign(7, .elsewhere), began: began, ended: ended))
        }
        #expect(judge(0, 1_500) == .wait)
        #expect(judge(2_000, 3_500) == .wait)
        #expect(judge(4_499, 4_500) == .wait)
        #expect(judge(4_500, 6_000) == Self.claim(isGone: false))
        #expect(judge(6_500, 9_000) == .wait, "for 3 s nobody has answered")
    }

    // MARK: What a log has lost

    static let lost = [
        sign(7, position: 8, .nobody), sign(7, position: 8, .here), sign(7, epoch: 3, .here),
        // Another one goes on.
        sign(7, epoch: 5, position: 8, .elsewhere),
    ]

    @Test(arguments: lost) func `claims nothing of a log that has lost what it has seen`(sign: OwnerSign) {
        var watch = OwnerWatch()
        #expect(watch.judge(Self.sign(7, .elsewhere), at: 0) == .wait)
        #expect(watch.judge(sign, at: 250) == .lost(position: 9))
    }

    @Test func `waits for an owner that may append it again`() {
        var watch = OwnerWatch()
        let (whole, short) = (Self.sign(7, .elsewhere), Self.sign(7, position: 5, .elsewhere))
        #expect(watch.judge(whole, at: 0) == .wait)
        #expect(Self.judge(short, for: 250...3_000, by: &watch) == .wait)
        #expect(Self.judge(whole, for: 3_100...6_000, by: &watch) == .wait)
        #expect(watch.judge(whole, at: 6_100) != .wait)
        #expect(Self.judge(short, for: 6_350...9_350, by: &watch) == .lost(position: 9))
    }

    @Test func `claims nothing that is quarantined, and then what is there`() {
        var watch = OwnerWatch()
        #expect(watch.judge(Self.sign(7, .elsewhere), at: 0) == .wait)
        var sign = Self.sign(7, position: 5, .nobody)
        sign.isQuarantined = true
        #expect(watch.judge(sign, at: 250) == .wait)
        sign.isQuarantined = false
        #expect(watch.judge(sign, at: 500) == Self.claim(isGone: true))
    }

    @Test func `still knows what it has seen when a claim has failed`() {
        var watch = OwnerWatch()
        _ = watch.judge(Self.sign(7, .nobody), at: 0)
        watch.interrupt()
        #expect(watch.judge(Self.sign(7, position: 8, .nobody), at: 250) == .lost(position: 9))
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
        #expect(OwnerSign(epoch: 4, renewal: (3, 9, .nobody)) == Self.sign(9, position: 0, .elsewhere))
    }
}
