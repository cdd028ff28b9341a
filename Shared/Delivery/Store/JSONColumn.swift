import Contracts
package import Database

/// Columns that hold a JSON text.
package enum JSONColumn {
    private static let encoder = EventCoder.encoder()
    private static let decoder = EventDecoder()

    /// A value as JSON; equal values have equal text.
    ///
    /// - Throws: `EncodingError` when the value has no JSON form.
    package static func text(_ value: some Encodable) throws -> String {
        String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// The value in a column.
    ///
    /// - Throws: `StoreError.corrupt` when the text does not decode.
    package static func value<Value: Decodable>(of text: String) throws(StoreError) -> Value {
        do {
            return try decoder.decode(Value.self, from: text)
        } catch {
            throw .corrupt("a column does not hold the JSON of \(Value.self)")
        }
    }
}
