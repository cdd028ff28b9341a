protocol WebhookPoster: Sendable {
    /// The status of the response; throws whatever kept the server from answering.
    @concurrent func post(_ call: WebhookCall) async throws -> Int
}
