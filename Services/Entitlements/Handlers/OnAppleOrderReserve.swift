import Contracts
import Delivery
import Domain

/// `counterfoil.apple.order.reserve.v1`: one proposal at a time has an order of Apple's.
struct OnAppleOrderReserve {
    func callAsFunction(
        _ message: Event<AppleOrderReserveV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<AppleOrderReserved> {
        let store = AppleOrderLeaseStore(connection: context.connection)
        let request = message.data
        if request.isFreed == true {
            try store.free(request)
            return .reply(AppleOrderReserved(isNew: false))
        }
        let current = try store.lease(on: request)
        let (lease, isNew) = try AppleOrderLease.reserved(
            for: request.proposalId,
            over: current,
            at: context.now
        )
        try store.deleteEnded(at: context.now)
        try store.save(lease, on: request)
        return .reply(AppleOrderReserved(isNew: isNew))
    }
}
