/// Something that happened between the played world and the client, in the order in which it was seen.
enum Observation: Sendable {
    /// The client is told of an event, at this time in ms since 1970.
    case given(PhoneEvent, at: Int64)
    /// The client says that it is done with an event.
    case handled(PhoneEvent)
    case wrote(PhoneLine)
    /// An order was asked for, and answered.
    case ordered(OrderRequest)
    /// A proof arrived, or a question what became of one.
    case asked(ProofRequest)
    /// The request is over: answered, lost, or given up by the client.
    case answered(ProofRequest, GatewayAnswer)
    case killed
}

/// A request for an order, with what the client was told.
struct OrderRequest: Equatable, Sendable {
    enum Outcome: Equatable, Sendable {
        /// The order to pay, new or open: its token.
        case issued(token: String)
        /// An order is open that is not to be paid: its state.
        case open(state: String)
        /// The gateway forbids the payment; what it answered.
        case refused(String)
        /// No order can be had now; what was answered.
        case unavailable(String)
    }

    /// Its `Idempotency-Key`.
    let key: String
    let productID: String
    let outcome: Outcome
}

/// A request that is about payments.
struct ProofRequest: Equatable, Sendable {
    enum Kind: Equatable, Sendable {
        case proof
        /// `GET /v1/receipts/{id}`, with its `wait` in ms.
        case question(wait: Int?)
    }

    let kind: Kind
    /// The payments of the proof.
    let transactions: [String]
    /// Whose token the request has.
    let caller: String
    /// Who is said to have made the proof; the caller, if that is not said.
    let purchasedBy: String
    /// Whose order is named beside the proof; nil where none is, or the one that Apple has signed into it.
    var orderOf: String?
}
