import CCurl

/// All calls under way; the client's thread alone touches it.
struct Exchanges {
    /// Between two looks, while no answer is drained.
    private static let longestPause = Duration.seconds(60)

    private let multi: UnsafeMutableRawPointer
    private var underWay: [UInt64: Exchange] = [:]

    init(_ multi: UnsafeMutableRawPointer) { self.multi = multi }

    /// Ms until the time of a drained answer is over.
    var pause: Int32 {
        let now = ContinuousClock.now
        let first = underWay.values.lazy.compactMap(\.drainedUntil).min()
        let pause = first.map { max(.zero, $0 - now) } ?? Self.longestPause
        return Int32((pause / .milliseconds(1)).rounded(.up))
    }

    mutating func start(_ exchange: Exchange) {
        underWay[exchange.id] = exchange
        if curl_multi_add_handle(multi, exchange.handle) != CURLM_OK { end(exchange.id, .failure(.invalid)) }
    }

    /// Answers a call and forgets it; one that is no longer known is left alone.
    mutating func end(_ id: UInt64, _ result: Exchange.Result) {
        guard let exchange = underWay.removeValue(forKey: id) else { return }
        curl_multi_remove_handle(multi, exchange.handle)
        exchange.reply.yield(result)
        exchange.reply.finish()
    }

    /// Reads and writes what can be, and ends the calls that are over.
    mutating func advance() {
        var running: Int32 = 0
        curl_multi_perform(multi, &running)
        var code = CURLE_OK
        while let context = ccurl_next_ended(multi, &code) {
            let exchange = Exchange.of(context)
            end(exchange.id, exchange.result(code))
        }
        let now = ContinuousClock.now
        for (id, exchange) in underWay where exchange.drainedUntil.map({ $0 <= now }) ?? false {
            end(id, exchange.result(CURLE_OK))
        }
    }
}
