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
        let current = try store.lease(on: request)
        let reserved = try AppleOrderLease.reserved(by: request, over: current, at: context.now)
        switch reserved.effect {
        case .saves(let lease):
            try store.deleteEnded(at: context.now)
            try store.save(lease, on: request)
        case .frees: try store.free(request)
        case .nothing: break
        }
        return .reply(AppleOrderReserved(isNew: reserved.isNew))
    }
}
