import Contracts
import Program

/// Who asks.
///
/// | caller      | acts for               | may                                             |
/// |-------------|------------------------|-------------------------------------------------|
/// | `serverKey` | any buyer of its app   | everything                                      |
/// | `phone`     | the buyer of its token | what a route opens to phones (`Callers.phones`) |
///
/// What a phone may not do gets 403, and what is another buyer's 404 where only an id names it. No member of a token
/// but its buyer gives or takes a right.
indirect enum Caller: Sendable {
    /// A server with a key of its app.
    case serverKey(app: Configuration.App, keyID: String)
    /// A phone with a token of its buyer, which the key with this id has signed.
    case phone(app: Configuration.App, buyer: BuyerID, keyID: String)

    /// Who may ask something.
    enum Callers: Sendable { case serversOnly, phones }

    var app: Configuration.App {
        switch self {
        case .serverKey(let app, _), .phone(let app, _, _): app
        }
    }

    /// The bundle id of its app.
    var bundle: BundleID {
        switch self {
        case .serverKey(let app, _), .phone(let app, _, _): app.bundleId
        }
    }

    /// The only buyer for whom it acts; nil: any.
    var onlyBuyer: BuyerID? {
        switch self {
        case .serverKey: nil
        case .phone(_, let buyer, _): buyer
        }
    }

    /// The buyer whose phone it is; nil of a server.
    var phoneBuyer: AppBuyer? {
        switch self {
        case .serverKey: nil
        case .phone(let app, let buyer, _): AppBuyer(bundle: app.bundleId, buyer: buyer)
        }
    }

    /// What an order says of who issued it.
    var issuer: OrderV1.Issuer? {
        switch self {
        case .serverKey: nil
        case .phone: .phone
        }
    }

    /// Refuses phones where only servers may ask.
    func check(_ callers: Callers) throws(Problem) {
        switch (self, callers) {
        case (.serverKey, .serversOnly), (.serverKey, .phones), (.phone, .phones): return
        case (.phone, .serversOnly): throw .serverKeyNeeded
        }
    }

    /// The buyer for whom it asks; 422 when the text names none, 403 when it may not act for them.
    func buyer(_ text: String) throws(Problem) -> BuyerID {
        let buyer = try Field.buyer(text)
        RequestNote.add { $0.buyerId = buyer.rawValue }
        guard onlyBuyer == nil || onlyBuyer == buyer else { throw .otherBuyer }
        return buyer
    }

    /// Refuses what only servers may say in a request that phones may make, too.
    func checkAbsent(_ value: String?, _ name: String) throws(Problem) {
        guard onlyBuyer != nil, value != nil else { return }
        throw .forbidden(name, "may be named with a server's key only")
    }
}
