import Foundation
import NIOConcurrencyHelpers
import TestKit

/// A phone whose client is a process of its own: its lives, and what is known of it.
final class KitPhone: Sendable {
    private struct State {
        var watch: KitWatch
        var process: LineProcess?
        var number = 0
        /// Orders that the gateway has made for it, by their tokens.
        var orders: [String: OrderAnswer] = [:]
        /// When each payment was handed over first, in microseconds since 1970.
        var starts: [UInt64: Int64] = [:]
    }

    /// Names it at the way to the gateway.
    let token: String
    let buyer: Int
    let product: Int
    /// Its keychain.
    let files: URL
    private let state: NIOLockedValueBox<State>

    init(token: String, script: Script, deaths: [KitWatch.Death]) throws {
        (self.token, buyer, product) = (token, script.buyer, script.product)
        files = FileManager.default.temporaryDirectory.appending(path: "counterfoil-\(token)")
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
        state = NIOLockedValueBox(State(watch: KitWatch(deaths: deaths)))
    }

    /// What was told to it and what it did.
    var watch: KitWatch { state.withLockedValue { $0.watch } }

    func note<Value>(_ body: (inout KitWatch) -> Value) -> Value {
        state.withLockedValue { body(&$0.watch) }
    }

    /// A new life; how it will end.
    func begin(_ process: LineProcess) -> KitWatch.Death? {
        state.withLockedValue { state in
            (state.process, state.number) = (process, 0)
            return state.watch.beginLife()
        }
    }

    /// It may die here; whether it does.
    @discardableResult
    func passPoint(isSending: Bool = false) -> Bool {
        let victim = state.withLockedValue { $0.watch.dies(isSending: isSending) ? $0.process : nil }
        victim?.kill()
        return victim != nil
    }

    /// Tells it of an event, now.
    func tell(_ event: KitEvent) throws {
        var event = event
        event.atMs = Int64(Date().timeIntervalSince1970 * 1_000)
        let process = state.withLockedValue { state in
            state.number += 1
            event.number = state.number
            return state.process
        }
        try process?.tell(event)
    }

    func keep(_ order: OrderAnswer) { state.withLockedValue { $0.orders[order.id] = order } }

    func order(of token: String) -> OrderAnswer? { state.withLockedValue { $0.orders[token] } }

    /// A payment is handed over, in microseconds since 1970.
    func start(_ payment: UInt64, at time: Int64) {
        state.withLockedValue { $0.starts[payment] = $0.starts[payment] ?? time }
    }

    /// When it was; gone once it was asked for.
    func takeStart(of payment: UInt64) -> Int64? {
        state.withLockedValue { $0.starts.removeValue(forKey: payment) }
    }
}
