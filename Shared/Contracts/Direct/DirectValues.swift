/// The direct forms of the values that messages are made of.
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

extension Timestamp: DirectlyCoded {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Timestamp?) throws(NotDirect) {
        self.init(milliseconds: try json.integer(value?.milliseconds))
    }

    /// Writes the number of milliseconds.
    @inline(__always) package func write(to json: inout JSONWriter) { json.write(milliseconds) }
}

extension Environment: DirectlyCoded {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Environment?) throws(NotDirect) {
        self.init(rawValue: try json.text(value?.rawValue))
    }

    /// Writes Apple's word.
    @inline(__always) package func write(to json: inout JSONWriter) { json.write(rawValue) }
}

extension TextIdentifier {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        let text = try json.text(value?.rawValue)
        if let value {
            self = value
        } else if let identifier = Self(rawValue: text) {
            self = identifier
        } else {
            throw NotDirect()
        }
    }

    /// Writes the bare text.
    @inline(__always) package func write(to json: inout JSONWriter) { json.write(rawValue) }
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

extension Verdict: DirectlyCodedCase {}
extension ProofKind: DirectlyCodedCase {}
extension GrantOutcome: DirectlyCodedCase {}
extension Submission.Intent: DirectlyCodedCase {}
extension HolderEvidence: DirectlyCodedCase {}
extension HistoryInquiry: DirectlyCodedCase {}
extension OrderCloseReason: DirectlyCodedCase {}
extension OrderV1.State: DirectlyCodedCase {}
extension OrderV1.Origin: DirectlyCodedCase {}
extension LedgerEntry.Kind: DirectlyCodedCase {}
extension TransferCause: DirectlyCodedCase {}
extension SubscriptionsV1.Subscription.State: DirectlyCodedCase {}
