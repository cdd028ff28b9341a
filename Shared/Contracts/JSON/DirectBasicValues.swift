/// The direct forms of the values that every text is made of.
extension String: DirectlyCoded {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: String?) throws(NotDirect) {
        self = try json.text(value)
    }

    /// Writes the text.
    @inline(__always) package func write(to json: inout JSONWriter) { json.write(self) }
}

extension Int64: DirectlyCoded {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Int64?) throws(NotDirect) {
        self = try json.integer(value)
    }

    /// Writes the number.
    @inline(__always) package func write(to json: inout JSONWriter) { json.write(self) }
}

extension Int: DirectlyCoded {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Int?) throws(NotDirect) {
        self.init(truncatingIfNeeded: try json.integer(value.map(Int64.init)))
    }

    /// Writes the number.
    @inline(__always) package func write(to json: inout JSONWriter) { json.write(Int64(self)) }
}

extension Bool: DirectlyCoded {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Bool?) throws(NotDirect) {
        self = try json.flag(value)
    }

    /// Writes the word.
    @inline(__always) package func write(to json: inout JSONWriter) { json.write(self) }
}

extension Array: DirectlyCoded where Element: DirectlyCoded {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: [Element]?) throws(NotDirect) {
        self = try json.array(value)
    }
}

extension Dictionary: DirectlyCoded where Key == String, Value: DirectlyCoded {
    @inline(__always) package init(
        _ json: inout some DirectCoder,
        _ value: [String: Value]?
    ) throws(NotDirect) {
        self = try json.dictionary(value)
    }
}

extension JSONValue: DirectlyCoded {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: JSONValue?) throws(NotDirect) {
        self = try json.value(value)
    }
}

/// An enumeration whose cases are texts.
package protocol DirectlyCodedCase: DirectlyCoded, RawRepresentable<String> {}

extension DirectlyCodedCase {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        guard let known = Self(rawValue: try json.text(value?.rawValue)) else { throw NotDirect() }
        self = known
    }

    /// Writes the case's text.
    @inline(__always) package func write(to json: inout JSONWriter) { json.write(rawValue) }
}
