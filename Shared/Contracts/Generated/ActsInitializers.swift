// Generated from the declarations of contracts by Tests/TidyTests/ContractCode.swift. To write it anew:
// swift -D GENERATE Tests/TidyTests/ContractCode.swift
//
// The compiler makes an initializer of the same members that other modules do not see. The last parameter,
// which no call names, tells the two apart.

extension Act {
    package init(
        number: Int64,
        time: Timestamp,
        operatorId: OperatorID?,
        kind: Kind,
        subject: String,
        proposalId: ProposalID? = nil,
        person: String?,
        reason: String?,
        before: String,
        after: String,
        _: Void = ()
    ) {
        self.number = number
        self.time = time
        self.operatorId = operatorId
        self.kind = kind
        self.subject = subject
        self.proposalId = proposalId
        self.person = person
        self.reason = reason
        self.before = before
        self.after = after
    }
}

extension ActsListV1 {
    package init(before: Int64? = nil, about: String? = nil, limit: Int, _: Void = ()) {
        self.before = before
        self.about = about
        self.limit = limit
    }
}
