/// What a phone does, by the protocol of `counterfoil-conform`; what a line does not have is nil.
struct KitLine: Decodable, Sendable {
    var finish: String?
    var pay: String?
    var appAccountToken: String?
    var show: String?
    var handled: Int?
}

/// What happens to a phone, by the same protocol.
struct KitEvent: Encodable, Sendable {
    let event: String
    var number = 0
    var atMs: Int64 = 0
    var productId: String?
    var transactionId: String?
    var appAccountToken: String?
    var signedTransaction: String?

    init(_ event: String, product: String? = nil) { (self.event, productId) = (event, product) }
}
