/// The direct forms of the values that messages are made of.
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

extension Verdict: DirectlyCodedCase {}
extension ProofKind: DirectlyCodedCase {}
extension GrantOutcome: DirectlyCodedCase {}
extension Submission.Intent: DirectlyCodedCase {}
extension HolderEvidence: DirectlyCodedCase {}
extension HistoryInquiry: DirectlyCodedCase {}
extension OrderCloseReason: DirectlyCodedCase {}
extension OrderV1.State: DirectlyCodedCase {}
extension OrderV1.Origin: DirectlyCodedCase {}
extension OrderV1.Issuer: DirectlyCodedCase {}
extension LedgerEntry.Kind: DirectlyCodedCase {}
extension TransferCause: DirectlyCodedCase {}
extension SubscriptionsV1.Subscription.State: DirectlyCodedCase {}
