import Dispatch
import FoundationEssentials

/// An event of the protocol; what an event does not have is nil.
struct PhoneEvent: Decodable, Sendable {
    let event: String
    let number: Int
    /// Milliseconds since 1970.
    let atMs: Int64
    var productId: String?
    var transactionId: String?
    var appAccountToken: String?
    var signedTransaction: String?
    var appReceipt: String?
    var buyerId: String?
    var token: String?

    /// The events of standard input; afterwards the input has ended.
    static func all() -> AsyncStream<PhoneEvent> {
        AsyncStream { events in
            DispatchQueue(label: "input").async {
                while let line = readLine() {
                    do {
                        events.yield(try JSONDecoder().decode(PhoneEvent.self, from: Data(line.utf8)))
                    } catch {
                        KitPhone.end(
                            saying: WrongStart(description: "an event that is not understood: \(line)")
                        )
                    }
                }
                events.finish()
            }
        }
    }
}
