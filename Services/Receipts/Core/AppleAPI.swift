/// The services of Apple that say what a proof is worth; the first that is configured is preferred.
package enum AppleAPI: String, Codable, CaseIterable, Sendable {
    /// The App Store Server API, by the transaction ids in the proof.
    case serverAPI
    /// The deprecated `verifyReceipt`, by the proof itself.
    case verifyReceipt
}
