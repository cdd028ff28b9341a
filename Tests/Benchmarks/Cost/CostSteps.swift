import Foundation
import TestKit

/// The way of purchases through the services, as `counterfoil trace` tells it.
enum CostSteps {
    /// A message that a service handled.
    struct Step: Encodable {
        let service: String
        let type: String
        /// From the arrival of the proof, the mean of all orders that have the step.
        let afterMs: Double
        /// How many of the orders that were followed have it.
        let orders: Int
    }

    /// The message in which a proof arrives.
    private static let arrival = "counterfoil.receipt.submit.v1"

    /// The means of these orders' steps, the earliest first.
    ///
    /// A trace counts whole milliseconds; what that takes away is about the same at both ends of a difference.
    static func mean(of orders: [PaidOrder], in home: TestHome) async throws -> [Step] {
        var times: [Key: [Double]] = [:]
        for order in orders {
            let lines = try await home.counterfoil("trace", order.orderId, "--json").json([TraceLine].self)
            guard
                let start = try lines.first(where: { $0.type == arrival }).map({ try milliseconds($0.time) })
            else { continue }
            var seen: Set<Key> = []
            for line in lines where seen.insert(Key(line)).inserted {
                times[Key(line), default: []].append(try milliseconds(line.time) - start)
            }
        }
        let steps = times.map { key, times in
            Step(
                service: key.service,
                type: key.type,
                afterMs: (times.reduce(0, +) / Double(times.count) * 10).rounded() / 10,
                orders: times.count
            )
        }
        return steps.sorted { $0.afterMs < $1.afterMs }
    }

    private struct Key: Hashable {
        let service: String
        let type: String

        init(_ line: TraceLine) { (service, type) = (line.service, line.type) }
    }

    private static func milliseconds(_ time: String) throws -> Double {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return try style.parse(time).timeIntervalSince1970 * 1_000
    }
}
