import Contracts

/// A JSON object from `verifyReceipt`; numbers and flags may be text or not, such as `"1"`, `1`, `"true"`,
/// `true`.
package struct VerifyReceiptFields: Hashable, Sendable {
    let values: [String: JSONValue]

    /// Nil when it is empty, or neither text nor a whole number.
    func text(_ name: String) -> String? {
        switch values[name] {
        case .string(let text): text.isEmpty ? nil : text
        case .integer(let number): "\(number)"
        case .null, .bool, .number, .array, .object, nil: nil
        }
    }

    func integer(_ name: String) -> Int64? {
        switch values[name] {
        case .string(let text): Int64(text)
        case .integer(let number): number
        case .number(let number): Int64(exactly: number)
        case .null, .bool, .array, .object, nil: nil
        }
    }

    func flag(_ name: String) -> Bool? {
        switch values[name] {
        case .bool(let flag): flag
        case .string("true"), .string("1"), .integer(1): true
        case .string("false"), .string("0"), .integer(0): false
        case .null, .string, .integer, .number, .array, .object, nil: nil
        }
    }

    /// `…_ms` if present, or the field itself, in ms or as `2013-08-01 07:00:00 Etc/GMT`.
    func date(_ name: String) -> Timestamp? {
        if let milliseconds = integer("\(name)_ms") ?? integer(name) {
            return Timestamp(milliseconds: milliseconds)
        }
        return text(name).flatMap(Timestamp.init(inGMT:))
    }

    func object(_ name: String) -> VerifyReceiptFields? {
        guard case .object(let fields) = values[name] else { return nil }
        return VerifyReceiptFields(values: fields)
    }

    /// The objects of a list, or one alone (iOS 6); other items become objects without known fields, so that
    /// none is lost.
    func objects(_ name: String) -> [VerifyReceiptFields] {
        guard case .array(let items) = values[name] else { return object(name).map { [$0] } ?? [] }
        return items.map { item in
            guard case .object(let fields) = item else { return VerifyReceiptFields(values: ["": item]) }
            return VerifyReceiptFields(values: fields)
        }
    }
}
