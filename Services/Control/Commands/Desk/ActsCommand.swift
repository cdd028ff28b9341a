import ArgumentParser
import Contracts
import Domain
import Program

struct ActsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "acts",
        abstract: "Shows what operators have done: who, when, what, why, before and after.",
        discussion: """
            The record only grows. It names buyers by a pseudonym, which --buyer finds, and operators by their id; the \
            names come from operators.json.
            """
    )

    private struct Row: Codable {
        let at: PartitionAddress
        let act: Act
        let name: String?
    }

    private struct Answer: Codable {
        let acts: [Row]
        let next: String?
        let missed: [PartitionAddress]
    }

    @OptionGroup var options: DeskOptions

    @Option(help: "Only acts for this buyer.")
    var buyer: BuyerID?

    @Option(help: "Only acts about this purchase or proposal, or of this operator (by id).")
    var about: String?

    @Option(help: "Where the page begins, as the page before says.")
    var after: String?

    @Option(help: "So many, the newest first.")
    var limit = 50

    mutating func validate() throws {
        try (1...200).check(limit, as: "--limit")
        guard buyer == nil || about == nil else {
            throw ValidationError("name --buyer or --about, not both.")
        }
        guard after.map({ ActsPage.Place(cursor: $0) != nil }) ?? true else {
            throw ValidationError("--after must be what the page before says.")
        }
    }

    func run() async throws {
        var query = "?limit=\(limit)"
        if let buyer { query += "&buyer=\(buyer.rawValue.queryEncoded)" }
        if let about { query += "&about=\(about.queryEncoded)" }
        if let after { query += "&after=\(after.queryEncoded)" }
        if let app = options.app { query += "&bundleId=\(app)" }
        let client = try DeskClient(of: options.option.home)
        let answer = try await client.get("/acts" + query, as: Answer.self)
        if options.json { try Terminal.printJSON(answer) } else { show(answer) }
        try DeskMissed(Set(answer.missed), .english).check()
    }

    private func show(_ answer: Answer) {
        guard !answer.acts.isEmpty else { return print("no acts") }
        let columns: [TextTable.Column<Row>] = [
            ("TIME", \.act.time.rfc3339),
            ("OPERATOR", { $0.name ?? $0.act.operatorId?.rawValue ?? "the ledger" }),
            ("ACT", \.act.kind.rawValue), ("SUBJECT", \.act.subject), ("FOR", { $0.act.person ?? "-" }),
            ("WHY", { $0.act.reason ?? "-" }), ("BEFORE", \.act.before), ("AFTER", \.act.after),
        ]
        print(TextTable(answer.acts, columns: columns).text)
        if let next = answer.next { print(DeskTexts.text(.more, .english).filled(["after": next])) }
    }
}

extension String {
    /// As a value of a query, RFC 3986.
    var queryEncoded: String {
        let digits = Array("0123456789ABCDEF".utf8)
        let bytes = utf8.flatMap { byte -> [UInt8] in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                [byte]
            default: [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
