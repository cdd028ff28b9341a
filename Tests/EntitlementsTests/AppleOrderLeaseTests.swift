import Contracts
import Domain
import TestKit
import Testing

@testable import Delivery
@testable import Entitlements

/// An order of Apple's that one proposal has for a while.
@Suite struct `The lease on an order of Apple's` {
    private let harness = EntitlementsHarness()
    private static let shard = PartitionKey.buyer(.ada, of: .game).shard
    private static let (first, second) = (id(1), id(2))

    private static func id(_ number: UInt8) -> ProposalID {
        ProposalID(.compensation, shard: shard, digest: Array(repeating: number, count: 14))
    }

    private func reserve(
        _ proposal: ProposalID,
        order: String = "MQ5LB2JHXY",
        attempt: String = "e-1",
        _ step: AppleOrderReserveV1.Step = .take
    ) throws -> RequestOutcome<AppleOrderReserved> {
        let order = try #require(AppleOrderID(rawValue: order))
        let request = AppleOrderReserveV1(
            bundleId: .game,
            appleOrderId: order,
            proposalId: proposal,
            attempt: EventID(unchecked: "\(attempt) of \(proposal)"),
            step: step
        )
        return try harness.handle(request, OnAppleOrderReserve().callAsFunction)
    }

    private func pass(_ milliseconds: Int64) { harness.now = harness.now.advanced(by: milliseconds) }

    @Test func `is one proposal's, which may renew it, and no other's meanwhile`() throws {
        #expect(try reserve(Self.first).reply?.isNew == true)
        let refusal = try #require(reserve(Self.second).refusal)
        #expect(refusal.code == .conflict && refusal.field == "appleOrderId")
        #expect(try reserve(Self.second, order: "MQ5LB2JHXZ").reply?.isNew == true)
        pass(AppleOrderLease.milliseconds - 1)
        #expect(try reserve(Self.first).reply?.isNew == false)
        pass(AppleOrderLease.milliseconds - 1)
        #expect(try reserve(Self.second).refusal != nil, "it was renewed")
    }

    @Test func `is kept by the attempt that has it, and by no earlier one of the same proposal`() throws {
        _ = try reserve(Self.first)
        #expect(try reserve(Self.first, attempt: "e-2").reply?.isNew == false, "taken over")
        #expect(try reserve(Self.first, .keep).reply?.isNew == true, "lost")
        pass(AppleOrderLease.milliseconds - 1)
        #expect(try reserve(Self.first, attempt: "e-2", .keep).reply?.isNew == false)
        pass(AppleOrderLease.milliseconds - 1)
        #expect(try reserve(Self.second, .keep).refusal != nil)
        _ = try reserve(Self.first, .free)
        #expect(try reserve(Self.second).refusal != nil, "the earlier attempt frees nothing")
        _ = try reserve(Self.first, attempt: "e-2", .free)
        #expect(try reserve(Self.second).reply?.isNew == true)
    }

    @Test func `that is over is lost for good, however often its attempt asks`() throws {
        _ = try reserve(Self.first)
        pass(AppleOrderLease.milliseconds)
        for _ in 1...2 { #expect(try reserve(Self.first, .keep).reply?.isNew == true) }
        #expect(try reserve(Self.second).reply?.isNew == true)
    }

    @Test func `ends by itself, by the clock of its partition`() throws {
        _ = try reserve(Self.first)
        pass(AppleOrderLease.milliseconds)
        #expect(try reserve(Self.second).reply?.isNew == true)
        #expect(try reserve(Self.first).refusal != nil)
    }

    @Test func `is freed by its holder alone`() throws {
        _ = try reserve(Self.first)
        _ = try reserve(Self.second, .free)
        #expect(try reserve(Self.second).refusal != nil)
        _ = try reserve(Self.first, .free)
        #expect(try reserve(Self.second).reply?.isNew == true)
    }

    @Test func `does not run when a clock that was wrong has written it`() throws {
        pass(24 * 60 * 60 * 1_000)
        _ = try reserve(Self.first)
        pass(-24 * 60 * 60 * 1_000)
        #expect(try reserve(Self.second).reply?.isNew == true)
    }

    @Test func `that nobody has freed is deleted with a later one`() throws {
        for number in UInt8(3)...9 { _ = try reserve(Self.id(number), order: "MQ5LB2JHX\(number)") }
        pass(AppleOrderLease.milliseconds)
        _ = try reserve(Self.first)
        #expect(try harness.rows("SELECT 1 FROM apple_order_lease").count == 1)
    }
}
