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
}
