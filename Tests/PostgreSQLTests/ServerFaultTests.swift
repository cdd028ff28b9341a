import Testing

@testable import PostgreSQL

@Suite struct `what a server says when it does not do a statement` {
    @Test(arguments: [
        ("ERROR", "25006", ServerFault.Meaning.elsewhere), ("ERROR", "40001", .undone),
        ("ERROR", "40P01", .undone), ("ERROR", "53100", .undone), ("ERROR", "57014", .undone),
        ("ERROR", "42501", .forbidden), ("ERROR", "42P01", .forbidden), ("ERROR", "23514", .forbidden),
        ("ERROR", "54000", .forbidden),
    ])
    func `says of an error that the statement was rolled back`(
        severity: String,
        state: String,
        meaning: ServerFault.Meaning
    ) {
        #expect(ServerFault(severity: severity, state: state, message: "").meaning == meaning)
    }

    @Test(arguments: [
        ("FATAL", "57P01"), ("PANIC", "53100"), ("FATAL", "42501"), ("ERROR", "57P01"), ("ERROR", "08P01"),
        ("ERROR", "40003"), ("ERROR", "58030"), ("ERROR", "XX000"), ("", ""), ("ERROR", ""),
    ])
    func `says nothing where the connection or the system failed`(severity: String, state: String) {
        #expect(ServerFault(severity: severity, state: state, message: "").meaning == .unsure)
    }

    @Test(arguments: [
        ("28P01", true), ("28000", true), ("3D000", true), ("42501", true), ("57P03", false),
        ("53300", false),
    ])
    func `says in place of a connection whether the login is wrong, or comes too early`(
        state: String,
        isRefused: Bool
    ) throws {
        let place = "connection to server at \"::1\", port 5432 failed: FATAL:  "
        let rest = "not now: \"a\"\nDETAIL:  who?\nLOCATION:  f, auth.c:1\n"
        let fault = try #require(ServerFault(ofLogin: "\(place)\(state): \(rest)"))
        #expect(fault.state == state)
        #expect(fault.refusesLogin == isRefused)
        #expect(fault.text == "\(place)not now: \"a\"; DETAIL:  who? (SQLSTATE \(state))")
    }

    @Test func `says nothing of a login where no server has spoken`() {
        let place = "connection to server at \"::1\", port 1 failed: "
        #expect(ServerFault(ofLogin: "\(place)Connection refused\n\tIs the server running?\n") == nil)
        #expect(ServerFault(ofLogin: "") == nil)
    }
}
