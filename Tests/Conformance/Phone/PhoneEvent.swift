import Foundation

/// Who is logged in at the app, with the token that says so to the gateway.
struct Login: Equatable, Sendable {
    let buyerID: String
    let token: String
}

/// What happens to a phone: one line on the client's standard input.
enum PhoneEvent: Sendable {
    /// The first event of every life.
    case launch
    case login(Login)
    /// The buyer wants a product.
    case buy(productID: String)
    /// Somebody else has to approve the purchase (Ask to Buy).
    case approvalPending(productID: String)
    case cancelled(productID: String)
    /// StoreKit hands a transaction over.
    case transaction(Payment)
    /// StoreKit lists a transaction that nobody has finished.
    case unfinished(Payment)
    /// The app receipt that was asked for is there.
    case receipt(String)
    case foreground
    case offline
    case online
    /// Time went on.
    case tick

    var name: String {
        switch self {
        case .launch: "launch"
        case .login: "login"
        case .buy: "buy"
        case .approvalPending: "approvalPending"
        case .cancelled: "cancelled"
        case .transaction: "transaction"
        case .unfinished: "unfinished"
        case .receipt: "receipt"
        case .foreground: "foreground"
        case .offline: "offline"
        case .online: "online"
        case .tick: "tick"
        }
    }

    private var members: [String: String] {
        switch self {
        case .login(let login): ["buyerId": login.buyerID, "token": login.token]
        case .buy(let productID), .approvalPending(let productID), .cancelled(let productID):
            ["productId": productID]
        case .transaction(let payment), .unfinished(let payment): payment.members
        case .receipt(let receipt): ["appReceipt": receipt]
        case .launch, .foreground, .offline, .online, .tick: [:]
        }
    }

    /// The line that tells of it, with its line break; `time` in ms since 1970.
    func line(number: Int, at time: Int64) throws -> Data {
        var object: [String: Any] = members
        object["event"] = name
        object["number"] = number
        object["atMs"] = time
        return try JSONSerialization.data(
            withJSONObject: object,
            options: [.sortedKeys, .withoutEscapingSlashes]
        )
            + Data("\n".utf8)
    }
}
