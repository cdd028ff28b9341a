import LoadVerdict

/// How long requests took, and what became of them.
struct Latencies: Encodable {
    private enum CodingKeys: String, CodingKey { case requests, failed, p50Milliseconds, maxMilliseconds }

    private var milliseconds: [Double] = []
    private(set) var failed = 0

    /// Measures one request, which fails if its status is not 200.
    mutating func measure(_ request: () async throws -> Int) async {
        let start = ContinuousClock.now
        do {
            if try await request() != 200 { failed += 1 }
        } catch {
            failed += 1
        }
        milliseconds.append((ContinuousClock.now - start) / .milliseconds(1))
    }

    /// Encodes figures, not every request.
    func encode(to encoder: any Encoder) throws {
        let sorted = milliseconds.sorted()
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(sorted.count, forKey: .requests)
        try container.encode(failed, forKey: .failed)
        try container.encode(sorted.percentile(0.5).tenths, forKey: .p50Milliseconds)
        try container.encode((sorted.last ?? 0).tenths, forKey: .maxMilliseconds)
    }
}
