import Contracts

/// A proof as it is sent to Apple.
struct ProofText: Codable, Equatable, Sendable {
    let kind: ProofKind
    let text: String
}
