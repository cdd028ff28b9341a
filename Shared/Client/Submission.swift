/// A proof on its way, with who hands it in.
public struct Submission: Equatable, Sendable {
    /// What is handed in, whole.
    public let proof: Proof
    /// Who is logged in, and whose token goes along.
    public let caller: String
    /// The receipt to ask about, after a 202; nil if the proof itself is to be sent.
    public let receiptID: String?
    /// How long the gateway may wait for the verdict, in ms.
    public internal(set) var waitMilliseconds: Int64 = 0

    /// Who made the proof, if that is another login than the caller's.
    public var purchasedBy: String? { proof.buyer == caller ? nil : proof.buyer }
}
