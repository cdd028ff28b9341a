// Generated from the declarations of contracts by Tests/TidyTests/ContractCode.swift. To write it anew:
// swift -D GENERATE Tests/TidyTests/ContractCode.swift

extension ReportedError {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        domain = try json.optional("domain", value?.domain)
        code = try json.optional("code", value?.code)
        try json.close()
    }
}
