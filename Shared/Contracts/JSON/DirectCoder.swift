/// What a description is told to: `JSONReader`, which is given no values, or `JSONWriter`, which returns those given.
package protocol DirectCoder {
    /// The `{` of an object.
    mutating func open() throws(NotDirect)
    /// The `}` of an object.
    mutating func close() throws(NotDirect)

    /// The next member of an object.
    mutating func member<Value: DirectlyCoded>(
        _ name: StaticString,
        _ value: Value?
    ) throws(NotDirect) -> Value

    /// The next member of an object, if it is there.
    mutating func optional<Value: DirectlyCoded>(
        _ name: StaticString,
        _ value: Value?
    ) throws(NotDirect) -> Value?

    /// An array.
    mutating func array<Value: DirectlyCoded>(_ values: [Value]?) throws(NotDirect) -> [Value]

    /// An object whose names are keys.
    mutating func dictionary<Value: DirectlyCoded>(
        _ members: [String: Value]?
    ) throws(NotDirect) -> [String: Value]

    /// A text.
    mutating func text(_ text: String?) throws(NotDirect) -> String
    /// A whole number.
    mutating func integer(_ number: Int64?) throws(NotDirect) -> Int64
    /// True or false.
    mutating func flag(_ flag: Bool?) throws(NotDirect) -> Bool
    /// Any value.
    mutating func value(_ value: JSONValue?) throws(NotDirect) -> JSONValue
}
