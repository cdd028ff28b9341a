import Foundation

/// What an app shows its buyer.
enum ScreenState: String, CaseIterable, Sendable {
    case ready, ordering, paying, waitingForApproval, delivering, done, alreadyOwned, needsHelp
}

/// What a client does: one line on its standard output.
enum PhoneLine: Equatable, Sendable {
    /// Calls `finish()` on a transaction.
    case finish(String)
    case show(ScreenState, productID: String?)
    /// Opens StoreKit's sheet, with the order's token if there is an order.
    case pay(productID: String, appAccountToken: String?)
    /// Asks StoreKit for the app receipt anew.
    case refreshReceipt
    /// The event of this number has had all its effects.
    case handled(Int)

    /// What a line says.
    ///
    /// - Throws: `PhoneFault` that quotes the line, if it says nothing of the kind.
    init(_ line: String) throws(PhoneFault) {
        guard let object = Self.object(of: line) else {
            throw PhoneFault(
                "wrote a line that is no JSON object (logs belong on standard error): \(Quote(line))"
            )
        }
        if let id = object["finish"] {
            guard let id = id as? String ?? (id as? Int64).map(String.init) else {
                throw PhoneFault("wrote a `finish` that is no transaction id: \(Quote(line))")
            }
            self = .finish(id)
        } else if let name = object["show"] {
            guard let state = (name as? String).flatMap(ScreenState.init) else {
                let known = ScreenState.allCases.map(\.rawValue).joined(separator: ", ")
                throw PhoneFault("showed a state that is none of \(known): \(Quote(line))")
            }
            self = .show(state, productID: object["productId"] as? String)
        } else if let productID = object["pay"] as? String {
            self = .pay(productID: productID, appAccountToken: object["appAccountToken"] as? String)
        } else if object["refreshReceipt"] as? Bool == true {
            self = .refreshReceipt
        } else if let number = object["handled"] as? Int {
            self = .handled(number)
        } else {
            throw PhoneFault(
                "wrote a line with none of finish, show, pay, refreshReceipt, handled: \(Quote(line))"
            )
        }
    }

    private static func object(of line: String) -> [String: Any]? {
        do {
            return try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        } catch {
            return nil
        }
    }
}

/// A client that cannot be judged, because it does not speak the protocol; says what it did instead.
struct PhoneFault: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// The beginning of a foreign text, in one line, with nothing that could steer a terminal.
struct Quote: CustomStringConvertible {
    private static let mostCharacters = 200

    let description: String

    init(_ text: String) {
        let visible = text.unicodeScalars.prefix(Self.mostCharacters).map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: scalar.escaped(asASCII: true)
            default: String(scalar)
            }
        }
        description = visible.joined() + (text.unicodeScalars.count > Self.mostCharacters ? "…" : "")
    }
}
