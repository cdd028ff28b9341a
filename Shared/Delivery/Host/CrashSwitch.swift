import Glibc
import NIOConcurrencyHelpers

/// Ends the process at one configured point; does nothing in production.
package final class CrashSwitch: Sendable {
    private let point: CrashPoint?
    private let remaining: NIOLockedValueBox<Int>

    package static let off = CrashSwitch(point: nil, count: 0)

    private init(point: CrashPoint?, count: Int) {
        self.point = point
        remaining = NIOLockedValueBox(count)
    }

    /// The switch that `COUNTERFOIL_CRASH_AT` describes for this service.
    ///
    /// `allowed` says whether this home was made for tests; elsewhere the setting is ignored.
    package static func from(setting: String?, service: String, allowed: Bool) -> CrashSwitch {
        guard allowed, let setting else { return .off }
        for item in setting.split(separator: ",") {
            let parts = item.split(whereSeparator: { $0 == "." || $0 == ":" }).map(String.init)
            guard parts.count == 3, parts[0] == service, let point = CrashPoint(rawValue: parts[1]),
                let count = Int(parts[2]), count > 0
            else { continue }
            return CrashSwitch(point: point, count: count)
        }
        return .off
    }

    var target: (point: CrashPoint, count: Int)? { point.map { ($0, remaining.withLockedValue { $0 }) } }

    /// Ends the process with SIGKILL at the n-th call for its point.
    package func reach(_ reached: CrashPoint) {
        guard point == reached else { return }
        let left = remaining.withLockedValue { count in
            count -= 1
            return count
        }
        if left == 0 { kill(getpid(), SIGKILL) }
    }
}
