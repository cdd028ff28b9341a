/// A contract that the receiver answers.
package protocol RequestContract: Contract {
    /// The answer once the owner of the partition has committed.
    associatedtype Reply: Codable & Sendable
}
