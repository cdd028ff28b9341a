/// A store's records about some ids.
package struct Trace: Codable, Hashable, Sendable {
    /// One recorded step.
    package struct Entry: Codable, Hashable, Sendable {
        package var time: Timestamp
        package var type: String
        package var id: String
        package var causationid: String?
        /// Of a held claim: by which evidence the buyer holds it.
        package var evidence: HolderEvidence?
        /// Of an order's step log: what the phone noted, at the time of its own clock.
        package var step: StepLogEntry?

        package init(time: Timestamp, type: String, id: String, causationid: String? = nil) {
            self.time = time
            self.type = type
            self.id = id
            self.causationid = causationid
        }
    }

    package var entries: [Entry] = []
    /// Ids of the related order, receipt and transactions.
    package var related: Set<String> = []

    /// Encodes the ids sorted, so that the same answer always has the same bytes.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(entries, forKey: .entries)
        try container.encode(related.sorted(), forKey: .related)
    }

    private enum CodingKeys: String, CodingKey { case entries, related }
}
