import Contracts
import Testing

@testable import Receipts

@Suite struct `the check for renewals` {
    private static let hour: Int64 = 3_600_000
    private static let day: Int64 = 24 * 3_600_000
    private static let expires = Sample.start.advanced(by: 30 * 86_400_000)

    private static func period(
        _ id: String = "2",
        until expires: Timestamp = expires,
        _ change: (inout SignedTransaction) -> Void = { _ in }
    ) -> SignedTransaction {
        var transaction = Sample.transaction(id, original: "1", type: "Auto-Renewable Subscription")
        transaction.expiresDate = expires.milliseconds
        change(&transaction)
        return transaction
    }

    private static func first(
        _ signed: SignedTransaction,
        now: Timestamp = Sample.start
    ) throws -> RenewalCheck.Due? {
        RenewalCheck.first(for: try #require(TransactionFacts(signed)), now: now)
    }

    @Test func `comes an hour after a period has ended of which Apple has said nothing since`() throws {
        let first = RenewalCheck.Due(stage: .first, time: Self.expires.advanced(by: Self.hour))
        #expect(try Self.first(Self.period()) == first)
    }

    @Test func `passes over what does not renew, was taken back, upgraded, or is over for good`() throws {
        #expect(try Self.first(Sample.transaction()) == nil)
        #expect(try Self.first(Self.period { $0.type = "Non-Renewing Subscription" }) == nil)
        #expect(try Self.first(Self.period { $0.revocationDate = Sample.start.milliseconds }) == nil)
        #expect(try Self.first(Self.period { $0.isUpgraded = true }) == nil)
        #expect(try Self.first(Self.period { $0.expiresDate = nil }) == nil)
        let over = Self.expires.advanced(by: RenewalCheck.longestMilliseconds)
        #expect(try Self.first(Self.period(), now: over) == RenewalCheck.Due(stage: .over, time: over))
    }

    private static func next(
        after found: [SignedTransaction],
        of own: SignedTransaction? = nil,
        now: Timestamp = expires
    ) throws -> RenewalCheck.Due? {
        let check = try #require(TransactionFacts(own ?? period()).flatMap(RenewalCheck.init))
        return check.next(after: .found(ProofContents(transactions: found)), now: now)
    }

    @Test func `comes once a day until billing retry is over`() throws {
        var now = Self.expires.advanced(by: Self.hour)
        var checks = 1
        while let next = try Self.next(after: [], now: now), next.stage == .repeated {
            #expect(next.time == now.advanced(by: Self.day))
            now = next.time
            checks += 1
        }
        #expect(checks == 61)
        #expect(try Self.next(after: [], now: now) == RenewalCheck.Due(stage: .over, time: now))
    }

    @Test func `comes for 91 days of a commitment of 12 months, for which Apple tries longer`() throws {
        let period = Self.period { $0.billingPlanType = "MONTHLY" }
        var now = Self.expires.advanced(by: Self.hour)
        var checks = 1
        while let next = try Self.next(after: [], of: period, now: now), next.stage == .repeated {
            now = next.time
            checks += 1
        }
        #expect(checks == 91)
        let end = Self.expires.advanced(by: 91 * Self.day)
        #expect(try Self.first(period, now: end.advanced(by: -1))?.stage == .first)
        #expect(try Self.first(period, now: end) == RenewalCheck.Due(stage: .over, time: end))
    }

    @Test func `comes when Apple's date has come, whatever a wrong clock has made of it`() throws {
        let ahead = Self.expires.advanced(by: 62 * Self.day)
        let end = Self.expires.advanced(by: RenewalCheck.longestMilliseconds)
        #expect(try Self.next(after: [], now: ahead) == RenewalCheck.Due(stage: .over, time: end))
        let first = RenewalCheck.Due(stage: .first, time: Self.expires.advanced(by: Self.hour))
        #expect(try Self.next(after: [], now: Sample.start) == first)
    }

    @Test func `ends with a later period of the same chain`() throws {
        let own = Self.period()
        let later = Self.period("3", until: Self.expires.advanced(by: 30 * Self.day))
        let foreign = Self.period("9", until: Self.expires.advanced(by: 30 * Self.day)) {
            $0.originalTransactionId = "8"
        }
        #expect(try Self.next(after: [own, later]) == nil)
        #expect(try Self.next(after: [own, foreign]) != nil)
        #expect(try Self.next(after: [own]) != nil)
    }
}
