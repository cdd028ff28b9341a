import Contracts
import Database
import Foundation

/// Columns that hold a JSON text.
enum JSONColumn {
    /// A value as it is stored: keys sorted, so that equal values have equal text.
    ///
    /// - Throws: `EncodingError` when the value has no JSON form.
    static func text(_ value: some Encodable) throws -> String {
        String(decoding: try EventCoder.encoder().encode(value), as: UTF8.self)
    }

    /// The value that a column holds.
    ///
    /// - Throws: `StoreError.corrupt` when the text is not one.
    static func value<Value: Decodable>(_ type: Value.Type, _ text: String) throws(StoreError) -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(text.utf8))
        } catch {
            throw .corrupt("a column does not hold the JSON of \(type)")
        }
    }
}
