/// Something that happened between the played world and the client, in the order in which it was seen.
enum Observation: Sendable {
    /// The client is told of an event, at this time in ms since 1970.
    case given(PhoneEvent, at: Int64)
    /// The client says that it is done with an event.
    case handled(PhoneEvent)
    case wrote(PhoneLine)
    case ordered(key: String, productID: String)
    /// A proof arrived, or a question what became of one.
    case asked(ProofRequest)
    /// The request is over: answered, lost, or given up by the client.
    case answered(ProofRequest, GatewayAnswer)
    case killed
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
}
