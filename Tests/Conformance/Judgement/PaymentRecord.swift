/// What the judge knows of one payment.
struct PaymentRecord: Sendable {
    let transactionID: String
    let productID: String
    /// Whose the proof is; unknown until the client had a chance to keep it.
    var maker: String?
    /// Whether a 200 said `"finish": true`.
    var mayFinish = false
    /// How often it was finished since StoreKit handed it over last.
    var finishes = 0
    var requests = 0
    /// Requests that are not over yet.
    var inFlight = 0
    /// When the gateway wants to be asked again, in ms since 1970.
    var notBefore: Int64 = 0
    /// How many requests there were since time went on.
    var requestsAtThisTime = 0
    /// The last answer, in words.
    var lastAnswer: String?
    /// Whether this life of the client knows of the payment from an event.
    var isKnownToLife = false
}
