import CounterfoilClient
import FoundationEssentials
import Glibc
import NIOConcurrencyHelpers

/// The lines of the protocol, each written at once.
final class PhoneOutput: Sendable {
    private struct Line: Encodable {
        var finish: String?
        var pay: String?
        var appAccountToken: String?
        var refreshReceipt: Bool?
        var show: String?
        var productId: String?
        var code: String?
        var handled: Int?
    }

    /// Numbers of events that may still have effects.
    private let open = NIOLockedValueBox<[Int]>([])

    /// An event has come; it is handled when the phone is at rest.
    func take(_ event: PhoneEvent) { open.withLockedValue { $0.append(event.number) } }

    /// Everything that has come has had all its effects.
    func atRest() {
        let numbers = open.withLockedValue { open in
            defer { open = [] }
            return open
        }
        for number in numbers { write(Line(handled: number)) }
    }

    func finish(_ transactionID: String) { write(Line(finish: transactionID)) }

    func pay(_ productID: String, token: String?) { write(Line(pay: productID, appAccountToken: token)) }

    func refreshReceipt() { write(Line(refreshReceipt: true)) }

    func show(_ state: PurchaseState, of productID: String) {
        write(Line(show: state.name, productId: productID, code: state.code))
    }

    private func write(_ line: Line) {
        do {
            var rest = try (JSONEncoder().encode(line) + Data("\n".utf8))[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
                // Nobody reads any more: whoever started the phone has gone.
                guard count > 0 || errno == EINTR else { exit(0) }
                rest = rest.dropFirst(max(count, 0))
            }
        } catch {
            KitPhone.end(saying: error)
        }
    }
}

extension PurchaseState {
    fileprivate var name: String {
        switch self {
        case .ready: "ready"
        case .ordering: "ordering"
        case .paying: "paying"
        case .waitingForApproval: "waitingForApproval"
        case .delivering: "delivering"
        case .done: "done"
        case .alreadyOwned: "alreadyOwned"
        case .needsHelp: "needsHelp"
        }
    }

    fileprivate var code: String? {
        if case .needsHelp(let code) = self { code } else { nil }
    }
}
