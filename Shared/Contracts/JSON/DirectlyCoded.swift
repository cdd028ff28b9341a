/// A value that can be read from JSON and written to it without `Codable`, which takes longer.
///
/// One initializer, the *description* of the type, both reads and writes, so that the two cannot differ. The writer's
/// text is what `JSONWriter.general` writes, byte for byte. The reader takes that text and no other: it takes no
/// spaces, no escapes, no member in another place, no unknown member, and no null. Both throw `NotDirect` at anything
/// else. The caller then uses `Codable`, the *general* way, which alone decides what is refused, and with which words.
///
/// A struct whose declaration names this protocol gets its description generated (`Generated/`): the members in the
/// order of its properties. Every other type has one by hand, in an extension that names the protocol.
package protocol DirectlyCoded {
    /// Reads a value; or writes `value`, and is then equal to it.
    ///
    /// - Throws: when the value or the text needs the general way.
    init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect)

    /// Reads a value; the description, compiled for the one coder.
    init(from json: inout JSONReader) throws(NotDirect)

    /// Writes the value; the description, compiled for the other.
    ///
    /// - Throws: when the value needs the general way.
    func write(to json: inout JSONWriter) throws(NotDirect)
}

extension DirectlyCoded {
    package init(from json: inout JSONReader) throws(NotDirect) { try self.init(&json, nil) }

    /// Writes the value.
    package func write(to json: inout JSONWriter) throws(NotDirect) { _ = try Self(&json, self) }
}
