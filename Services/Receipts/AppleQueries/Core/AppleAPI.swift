/// Apple's services that verify a proof; the first one configured is preferred.
enum AppleAPI: String, Codable, CaseIterable, Sendable {
    case serverAPI
    /// The deprecated `verifyReceipt`, by the proof itself.
    case verifyReceipt
}
