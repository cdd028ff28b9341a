import Contracts
import Delivery
import Domain
import HTTPTypes

/// Keeps an order of Apple's for one proposal, or one assignment, while it is looked for in all partitions and then
/// written in one.
///
/// Two proposals of one number for two buyers, made in the same moment, would both find it free: their buyers are in
/// different partitions. So would a proposal and the assignment of the order's purchase. The partition of the number's
/// own hash lets one of them through at a time. What a gateway that died has left behind ends by itself, by that
/// partition's clock; the same proposal, sent once more, takes it over.
///
/// | the attempt     | took what was free               | took over                            |
/// |-----------------|----------------------------------|--------------------------------------|
/// | has written     | frees it                         | frees it                             |
/// | has not written | frees it                         | leaves it: an earlier one may yet    |
/// | does not know   | leaves it                        | leaves it                            |
///
/// An attempt whose reservation was taken over frees nothing, and does not begin to write.
struct AppleOrderReservation: Sendable {
    /// Timeout of what frees the order, ms: it ends by itself as well.
    private static let freeMilliseconds: Int64 = 1_000
    /// A proposal that nobody has confirmed in time is void; a matched one stands for the order's own purchase.
    private static let taken: Set<CompensationV1.State> = [.proposed, .granted, .matched]

    /// What takes the order, for this attempt alone.
    let request: AppleOrderReserveV1
    private let compensations: OtherCompensations
    /// Nil for an assignment, which knows its purchase.
    private let purchases: KnownPurchases?

    /// Nil for a proposal that stands on no order of Apple's.
    init?(for proposal: CompensationProposeV1, in gateway: GatewayContext) {
        guard let order = proposal.basis.appleOrderId else { return nil }
        request = Self.request(order, of: proposal.bundleId, for: proposal.proposalId)
        compensations = Self.compensations(on: order, beside: proposal.buyerId, in: proposal.bundleId)
        purchases = KnownPurchases(
            gateway: gateway,
            appleOrderId: order,
            transactionIds: [],
            bundleId: proposal.bundleId,
            buyerId: proposal.buyerId,
            environment: proposal.environment,
            productId: proposal.productId,
            operatorId: proposal.operatorId,
            isConfirmed: false,
            field: "appleOrderId"
        )
    }

    /// Nil for a compensation that stands on no order of Apple's, or that waits for nobody.
    init?(for compensation: CompensationV1, by acting: OperatorID, in gateway: GatewayContext) {
        guard compensation.state == .proposed, let order = compensation.basis.appleOrderId else { return nil }
        request = Self.request(order, of: compensation.bundleId, for: compensation.proposalId)
        compensations = Self.compensations(
            on: order,
            beside: compensation.buyerId,
            in: compensation.bundleId
        )
        purchases = KnownPurchases(
            gateway: gateway,
            appleOrderId: order,
            transactionIds: compensation.basis.transactionIds ?? [],
            bundleId: compensation.bundleId,
            buyerId: compensation.buyerId,
            environment: compensation.environment,
            productId: compensation.productId,
            operatorId: acting,
            isConfirmed: true,
            field: "appleOrderId"
        )
    }

    /// For an assignment of a purchase of the order.
    init(_ order: AppleOrderID, for assignment: ProposalID, _ compensations: OtherCompensations) {
        request = Self.request(order, of: compensations.bundleId, for: assignment)
        (self.compensations, purchases) = (compensations, nil)
    }

    private static func request(
        _ order: AppleOrderID,
        of app: BundleID,
        for proposal: ProposalID
    ) -> AppleOrderReserveV1 {
        AppleOrderReserveV1(
            bundleId: app,
            appleOrderId: order,
            proposalId: proposal,
            attempt: IdentifierSource.eventID(),
            step: .take
        )
    }

    private static func compensations(
        on order: AppleOrderID,
        beside buyer: BuyerID,
        in app: BundleID
    ) -> OtherCompensations {
        OtherCompensations(
            bundleId: app,
            buyerId: buyer,
            names: [order.rawValue],
            states: taken,
            field: "appleOrderId",
            subject: "this order of Apple's"
        )
    }

    /// Reserves the order, and looks for what stands on it; where that fails, an order that was free is free again.
    ///
    /// It returns whether the order was free, so that no earlier attempt may be writing.
    func reserve(in partitions: Partitions) async throws(Problem) -> Bool {
        let wasFree = try await partitions.ask(request).isNew
        do throws(Problem) {
            try await compensations.check(in: partitions)
            try await purchases?.check()
            // Where the look took longer than the reservation, another one may have written meanwhile.
            var keep = request
            keep.step = .keep
            guard try await !partitions.ask(keep).isNew else { throw .unanswered }
        } catch {
            if wasFree { await free(in: partitions) }
            throw error
        }
        return wasFree
    }

    /// Lets others have the order; where nobody answers, they get it when the reservation ends.
    func free(in partitions: Partitions) async {
        var free = request
        free.step = .free
        do {
            _ = try await partitions.ask(free, within: Self.freeMilliseconds)
        } catch {
            return
        }
    }
}
