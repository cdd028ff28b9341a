import HTTPTypes

extension HTTPFields {
    /// What `self[name]` is; most fields are absent or there once, and then nothing generic has to join them.
    func value(of name: HTTPField.Name) -> String? {
        guard contains(name) else { return nil }
        var value: String?
        for index in indices where self[index].name == name {
            guard value == nil else { return self[name] }
            value = self[index].value
        }
        return value
    }
}
