import Contracts
import Domain

extension NameRegistration {
    /// Where a name is, for an audit; nil where the purchase does not state it, or nobody was asked yet.
    ///
    /// Tested by: `NamesAuditTests`.
    ///
    /// | state       | a name whose row leads here | the one that is asked | any other that was stated |
    /// |-------------|-----------------------------|-----------------------|---------------------------|
    /// | registering | `home`                      | `asked`               | `elsewhere` once lost     |
    /// | registered  | `home`                      | –                     | `elsewhere`               |
    /// | contested   | `home`                      | –                     | `elsewhere`               |
    /// | alias       | `alias`                     | –                     | `alias`                   |
    func place(of name: String) -> NamesAuditPage.Place? {
        let isHome = names.contains { $0.text == name }
        let isOther = others.contains { $0.text == name }
        switch state {
        case .unregistered: return nil
        case .registering(let asked, _):
            return asked.text == name ? .asked : isHome ? .home : isOther ? .elsewhere : nil
        case .registered: return isHome ? .home : isOther ? .elsewhere : nil
        case .contested(_, let lost):
            return isHome ? .home : isOther || lost.text == name ? .elsewhere : nil
        case .alias(_, let lost): return isHome || isOther || lost?.text == name ? .alias : nil
        }
    }
}
