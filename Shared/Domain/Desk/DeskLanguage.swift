/// A language in which the desk speaks to an operator.
package enum DeskLanguage: String, CaseIterable, Sendable {
    case english = "en"
    case simplifiedChinese = "zh"

    /// The language of a locale such as `zh_CN.UTF-8`; English for any other.
    package init(locale: String?) {
        self = (locale ?? "").lowercased().hasPrefix("zh") ? .simplifiedChinese : .english
    }
}
