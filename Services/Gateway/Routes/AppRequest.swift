import Contracts
import Hummingbird
import Program

struct AppRequest: IncomingRequest {
    let caller: Caller
    let request: Request
    let context: GatewayRequestContext
    let counter: ConcurrencyLimit

    var app: Configuration.App { caller.app }
    var phoneBuyer: AppBuyer? { caller.phoneBuyer }

    /// The buyer that the path names; 403 when the caller may not act for them.
    func buyer() throws(Problem) -> BuyerID { try caller.buyer(try path("buyerId")) }
}
