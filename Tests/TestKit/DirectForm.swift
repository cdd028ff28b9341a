package import Contracts

/// What is wrong with the direct form of a value, of which every member is set; nil if it is the general form.
package func faultOfDirectForm<Value: Codable & Equatable & DirectlyCoded>(of value: Value) throws -> String?
{
    let bytes = try EventEncoder().general(value)
    if let fault = try faultOfDirectlyWritten(value) { return fault }
    let read = bytes.withUnsafeBufferPointer { EventDecoder.direct(Value.self, from: $0) }
    return read == value ? nil : "it is not read directly"
}

/// The same for a value that is only written.
package func faultOfDirectlyWritten<Value: Encodable & DirectlyCoded>(_ value: Value) throws -> String? {
    let bytes = try EventEncoder().general(value)
    guard EventEncoder().direct(value) == bytes else { return "it is not written directly, or otherwise" }
    let members = try EventDecoder().general([String: JSONValue].self, from: bytes)
    return members.count == Mirror(reflecting: value).children.count ? nil : "a member is not set"
}
