import ArgumentParser
import Contracts
import Delivery
import Domain
import Program

struct FindCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "find",
        abstract: "Says all that is known of a purchase: how it stands, what happened, and what would help.",
        discussion: """
            It takes the id of a buyer, an order, a transaction, a purchase or a receipt, your own reference, or the \
            order number of Apple's e-mail. Apple is asked about a number that nobody knows; --apple asks in small \
            letters, too.

              counterfoil find MQ5LB2JHXY
              counterfoil find ada --language zh

            `--evidence` adds by which ids and messages each line is known; `counterfoil trace` shows the messages \
            themselves.
            """
    )

    @OptionGroup var option: HomeOption
    @OptionGroup var language: LanguageOption

    @Argument(
        help: "A buyer, order, reference, transaction, receipt, or Apple's order number.",
        transform: { $0.withoutBlanksAround }
    )
    var text: String

    @Flag(help: "Say by which ids and messages each line is known.")
    var evidence = false

    @Flag(help: "Ask Apple about its order number, however it is written.")
    var apple = false

    @Flag(help: "Print one JSON object.")
    var json = false

    mutating func validate() throws {
        guard !apple || AppleOrderID(rawValue: text) != nil else {
            throw ValidationError("with --apple, what is searched for \(AppleOrderID.rule).")
        }
    }

    private struct Answer: Encodable {
        let query: String
        let sentence: String
        let purchases: [DeskFinding.Purchase]
        let missed: [String]
        let isCut: Bool
    }

    func run() async throws {
        let apps = try Configuration(of: option.home).apps.map(\.bundleId)
        let found = try await PartitionInquiry.of(option.home) { inquiry in
            let search = DeskSearch(InquiryAsker(inquiry: inquiry), of: apps)
            return await search.find(text, asksApple: apple || DeskSearch<InquiryAsker>.isAppleOrder(text))
        }
        let finding = DeskFinding(
            found.facts,
            of: text,
            in: language.spoken,
            now: ClockReading.current().now
        )
        if json {
            let missed = found.missed.sorted().map(\.description)
            let (sentence, purchases) = (finding.sentence, finding.purchases)
            try Terminal.printJSON(
                Answer(
                    query: text,
                    sentence: sentence,
                    purchases: purchases,
                    missed: missed,
                    isCut: found.isCut
                )
            )
        } else {
            print(FindingText(finding: finding, language: language.spoken, hasEvidence: evidence).text)
            if found.isCut { print("\n" + DeskTexts.text(.cut, language.spoken).filled([:])) }
        }
        try DeskMissed(found.missed, language.spoken).check()
        guard !finding.purchases.isEmpty else { throw ExitCode.failure }
    }
}
