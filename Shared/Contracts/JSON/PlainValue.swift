/// A value of a text: its kind, its bytes, and where the next value begins in the list of all values.
struct PlainValue {
    enum Kind { case null, `false`, `true`, whole, fraction, text, array, object }

    var kind: Kind
    /// The bytes of a number, or of a text without its quotes.
    var range: Range<Int> = 0..<0
    /// The index of the value after this one and all inside it.
    var next = 0
    /// The index of the name that an object's reader asks for next, most likely.
    var expected = 0
}
