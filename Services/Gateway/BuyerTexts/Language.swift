/// A language in which buyers are told what became of their purchase.
enum Language: String, CaseIterable, Sendable {
    case english = "en"
    case simplifiedChinese = "zh-Hans"

    /// Most languages of a header that are read.
    static let maximumRanges = 32

    /// The language that a request prefers (RFC 9110, section 12.5.4); English when it names none of these.
    init(acceptLanguage header: String?) {
        let ranges = (header ?? "").split(separator: ",").prefix(Self.maximumRanges)
            .compactMap(Self.range)
        // The first of those with the highest weight.
        var best: (language: Language, weight: Double)?
        for range in ranges where range.weight > (best?.weight ?? 0) { best = range }
        self = best?.language ?? .english
    }

    var texts: any BuyerTexts.Type {
        switch self {
        case .english: English.self
        case .simplifiedChinese: SimplifiedChinese.self
        }
    }

    private static func range(_ text: Substring) -> (language: Language, weight: Double)? {
        let parts = text.split(separator: ";", omittingEmptySubsequences: false).map(trimmed)
        guard let tag = parts.first, let language = language(tag) else { return nil }
        guard let parameter = parts.dropFirst().first else { return (language, 1) }
        guard parameter.hasPrefix("q="), let weight = Double(parameter.dropFirst(2)), (0...1).contains(weight)
        else { return nil }
        return (language, weight)
    }

    /// The language of a tag such as `zh-CN`; nil for one that is not spoken here, as the traditional Chinese of
    /// `zh-TW`.
    private static func language(_ tag: String) -> Language? {
        let subtags = tag.split(separator: "-")
        switch subtags.first {
        case "en", "*": return .english
        case "zh":
            let others: Set<Substring> = ["hant", "tw", "hk", "mo"]
            if subtags.contains("hans") { return .simplifiedChinese }
            return others.isDisjoint(with: subtags) ? .simplifiedChinese : nil
        case .some, nil: return nil
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        text.filter { $0 != " " && $0 != "\t" }.lowercased()
    }
}
