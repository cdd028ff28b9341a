import ArgumentParser
import Contracts
import Delivery
import Domain
import Program

extension DeskLanguage: ExpressibleByArgument {}

/// What every list takes.
struct DeskListOptions: ParsableArguments {
    @OptionGroup var option: HomeOption
    @OptionGroup var language: LanguageOption

    @Option(help: "Only what has waited as long, such as 90s, 15min, 1h or 3d.")
    var olderThan: String?

    @Option(help: "Where the page begins, as the page before says.")
    var after: String?

    @Option(help: "Rows of the page.")
    var limit = 50

    @Flag(help: "Print one JSON object.")
    var json = false

    mutating func validate() throws {
        try DeskListV1.limits.check(limit, as: "--limit")
        guard olderThan.map({ DeskAge.milliseconds($0) != nil }) ?? true else {
            throw ValidationError("--older-than \(DeskAge.rule).")
        }
        guard after.map({ DeskPage.Place(cursor: $0) != nil }) ?? true else {
            throw ValidationError("--after must be what the page before says.")
        }
    }

    private struct Answer: Encodable {
        let rows: [DeskListing]
        let next: String?
        let missed: [String]
    }

    /// Prints a page of a list; then throws with exit code 3 when a partition did not answer.
    func show(_ list: DeskList) async throws {
        let now = ClockReading.current().now
        let question = DeskListV1(
            list: list,
            before: olderThan.flatMap(DeskAge.milliseconds).map { now.advanced(by: -$0) },
            after: after.flatMap(DeskPage.Place.init(cursor:)),
            limit: limit
        )
        let listed = try await PartitionInquiry.of(option.home) { inquiry in
            await DeskLists(InquiryAsker(inquiry: inquiry)).page(question)
        }
        let operators = list == .proposals ? try OperatorRegister(of: option.home).operators : []
        let names = Dictionary(operators.map { ($0.id.rawValue, $0.name) }) { first, _ in first }
        let rows = listed.rows.map { DeskListing($0, in: language.spoken, now: now, operators: names) }
        if json {
            let missed = listed.missed.sorted().map(\.description)
            try Terminal.printJSON(Answer(rows: rows, next: listed.next?.cursor, missed: missed))
        } else {
            print(DeskListText(rows: rows, next: listed.next, language: language.spoken).text)
        }
        try DeskMissed(listed.missed, language.spoken).check()
    }
}
